// @promise 6
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLong, randomInteger, reportFigure } from '@lanyard/testing'
import { describe, expect, test } from 'vitest'
import { insertUser } from '../../test/insert-user.ts'
import { runProgram } from '../../test/program.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { isUnavailable } from '../errors.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'

const killCycles = isLong ? 100 : 2

describe('openDatabase (PGlite)', () => {
  test('behavior: rows persist after close and open', async () => {
    await using folder = await temporaryDirectory()
    const dataDir = join(folder.path, 'made/by/lanyard')
    const lines: string[] = []
    const log = { info: (_: object, message: string) => lines.push(message), warn: () => {} }
    {
      await using database = await openDatabase({ dataDir, log })
      await migrate(database.db)
      await insertUser(database.db, 'alice')
    }
    await using database = await openDatabase({ dataDir })
    expect(await migrate(database.db)).toEqual([])
    expect(await database.db.selectFrom('users').select('username').execute()).toEqual([
      { username: 'alice' },
    ])
    expect(lines).toEqual(['The database is PGlite, which is for development only'])
  })

  test('behavior: a new database can start from an image with the schema; an existing one is unchanged', {
    tags: ['all'],
  }, async () => {
    await using folder = await temporaryDirectory()
    const dataDir = join(folder.path, 'database')
    {
      await using database = await openDatabase({ dataDir, migrated: true })
      expect(await migrate(database.db)).toEqual([])
      await insertUser(database.db, 'alice')
    }
    await using database = await openDatabase({ dataDir, migrated: true })
    expect(await database.db.selectFrom('users').select('username').execute()).toEqual([
      { username: 'alice' },
    ])
    await using other = await openDatabase()
    expect(await migrate(other.db)).not.toEqual([])
  })

  test('behavior: can be closed twice', { tags: ['all'] }, async () => {
    const database = await openDatabase()
    await database.ping()
    await database.close()
    await database.close()
    expect(await database.ping().catch(isUnavailable)).toBe(true)
  })

  test('error: DATABASE_UNAVAILABLE while another process uses the directory, until it is killed', {
    tags: ['all'],
  }, async () => {
    await using folder = await temporaryDirectory()
    const dataDir = join(folder.path, 'database')
    await using holder = runProgram('hold-directory.ts', dataDir)
    await once(holder.child.stdout, 'data')
    await expect(openDatabase({ dataDir })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining(`is in use by process ${holder.child.pid}.`),
    })
    await holder.kill()
    await using database = await openDatabase({ dataDir })
    await database.ping()
  })

  test('error: DATABASE_UNAVAILABLE if the directory cannot be made or written', async () => {
    await using folder = await temporaryDirectory()
    const file = join(folder.path, 'file')
    await writeFile(file, '')
    await mkdir(`${join(folder.path, 'taken')}.lock`)
    for (const dataDir of [join(file, 'database'), join(folder.path, 'taken')])
      await expect(openDatabase({ dataDir })).rejects.toMatchObject({
        code: 'DATABASE_UNAVAILABLE',
        message: expect.stringContaining(`The data directory ${dataDir} cannot be used`),
      })
  })

  test('error: DATABASE_UNAVAILABLE if this process already uses the directory', async () => {
    await using folder = await temporaryDirectory()
    const dataDir = join(folder.path, 'database')
    await using first = await openDatabase({ dataDir })
    await expect(openDatabase({ dataDir })).rejects.toThrow(`is in use by process ${process.pid}.`)
    await first.close()
    await using again = await openDatabase({ dataDir })
    await again.ping()
  })

  test(`behavior: keeps every acknowledged row after kill -9, ${killCycles} times`, {
    tags: ['all', 'longer'],
    timeout: killCycles * 150_000,
  }, async () => {
    await using folder = await temporaryDirectory()
    const dataDir = join(folder.path, 'database')
    const acknowledged: string[] = []
    for (let cycle = 0; cycle < killCycles; cycle++) {
      await using program = runProgram('insert-until-killed.ts', dataDir)
      let output = ''
      program.child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      await once(program.child.stdout, 'data')
      await sleep(randomInteger(300))
      await program.kill()
      acknowledged.push(...output.split('\n').slice(0, -1))
    }
    await using database = await openDatabase({ dataDir })
    const rows = await database.db.selectFrom('users').select('username').execute()
    const present = new Set(rows.map((row) => row.username))
    expect(acknowledged.filter((name) => !present.has(name))).toEqual([])
    const halves = [...present].filter((name) => name.endsWith(' a') && !present.has(name.replace(/a$/, 'b')))
    expect(halves).toEqual([])
    reportFigure(6, 'kills of a process with PGlite open', killCycles)
    reportFigure(6, 'rows acknowledged before them, all found', acknowledged.length)
  })
})
