import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertUser } from '../test/insert-user.ts'
import { isUnavailable, isUniqueViolation } from './errors.ts'
import { openDatabase } from './open-database.ts'
import { describeEachEngine, freshDatabase, testEngines } from './testing/index.ts'

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('should have failed'),
    (error: unknown) => error,
  )

describeEachEngine('isUniqueViolation', (engine) => {
  test('default', async () => {
    await using database = await freshDatabase(engine)
    await insertUser(database.db, 'alice')
    const error = await errorOf(insertUser(database.db, 'alice'))
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'users_username_key_key')).toBe(true)
    expect(isUniqueViolation(error, 'users_pkey')).toBe(false)
    expect(isUnavailable(error)).toBe(false)
  })

  test('behavior: false for other errors', async () => {
    await using database = await freshDatabase(engine)
    const error = await errorOf(sql`select 1 / 0`.execute(database.db))
    expect([isUniqueViolation(error), isUnavailable(error)]).toEqual([false, false])
    expect([isUniqueViolation(undefined), isUnavailable('text')]).toEqual([false, false])
  })
})

describeEachEngine('isUnavailable', (engine) => {
  test('behavior: closed', async () => {
    await using database = await freshDatabase(engine)
    await database.close()
    expect(isUnavailable(await errorOf(database.ping()))).toBe(true)
  })

  test('behavior: statement time-out', async () => {
    await using database = await freshDatabase(engine)
    const error = await errorOf(
      database.db.transaction().execute(async (trx) => {
        await sql`set local statement_timeout = 20`.execute(trx)
        await sql`select pg_sleep(0.5)`.execute(trx)
        if (engine === 'pglite') throw Object.assign(new Error('PGlite has no timers'), { code: '57014' })
      }),
    )
    expect(isUnavailable(error)).toBe(true)
  })
})

describeEachEngine('isUnavailable for exhausted resources', (engine) => {
  test.each(['53100', '53200'])('behavior: SQLSTATE %s', async (code) => {
    await using database = await freshDatabase(engine)
    const raise = sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)
    expect(isUnavailable(await errorOf(raise.execute(database.db)))).toBe(true)
  })
})

describe('isUnavailable (without a server)', () => {
  test('behavior: refused', async () => {
    expect(isUnavailable(await errorOf(openDatabase({ url: 'postgresql://a@localhost:1/b' })))).toBe(true)
  })

  test('behavior: a server that accepts and never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const error = await errorOf(openDatabase({ url: `postgresql://a@127.0.0.1:${port}/b` }))
    silent.close()
    expect(isUnavailable(error)).toBe(true)
  })
})

describe.skipIf(!testEngines().includes('postgresql'))('isUnavailable (PostgreSQL)', () => {
  test('behavior: true for a missing socket, and for too many connections', async () => {
    expect(
      isUnavailable(await errorOf(openDatabase({ url: 'postgresql://a@localhost/b?host=/nowhere' }))),
    ).toBe(true)
    await using database = await freshDatabase('postgresql')
    const name = new URL(database.url ?? '').pathname.slice(1)
    await sql`alter database ${sql.id(name)} connection limit 0`.execute(database.db)
    await sql`create role outsider login`.execute(database.db).catch(() => {})
    const url = (database.url ?? '').replace('lanyard@', 'outsider@')
    expect(isUnavailable(await errorOf(openDatabase({ url })))).toBe(true)
  })
})
