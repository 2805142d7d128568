// @promise 24
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findUsernameConflict, listImports } from '@lanyard/database'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { splitCsvLine } from '../../src/domain/accounts/imports/parse-import-line.ts'
import { readLines } from '../../src/domain/accounts/imports/read-lines.ts'
import { contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lanyard-import-'))
})
afterAll(() => rm(directory, { recursive: true }))

const eoa = (number: number) => `0x${number.toString(16).padStart(40, 'a')}`

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, content)
  return path
}

/** The rejected lines and their codes. */
const reportOf = async (file: string) =>
  (await readFile(`${file}.rejected.ndjson`, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('default: rows are reserved, bad ones are in the report, and the same file again changes nothing', async () => {
  await using database = await freshDatabase()
  const context = contextOf(database)
  const file = await fileOf(
    'users.csv',
    [
      '\ufeffOwner,kind,external_id,username\r',
      `${eoa(1)},eip7702,u-1,alice\r`,
      `${eoa(2)},safe,"u,""2""",Bob Smith\r`,
      `${eoa(3)},eip7702,,\r`,
      '\r',
      `${eoa(1)},safe,u-4,other\r`, // 6
      `${eoa(4)},eip7702,u-5,aIice\r`,
      `${eoa(5)},eip7702,u-1,carol\r`,
      `0x12,eip7702,,\r`,
      `${eoa(6)},wallet,,\r`,
      `${eoa(7)},safe,,admin\r`,
      `${eoa(8)},safe,,vitalik.eth\r`,
      `${eoa(9)},safe,"never closed,\r`,
      `${eoa(10)},safe\r`,
      `0x0000000000000000000000000000000000000000,safe,,\r`,
      `${eoa(11)},safe,=HYPERLINK("x"),\r`, // a quote inside of a field without quotes
      `${eoa(12)},safe,=1+1,dave`,
    ].join('\n'),
  )
  const dry = await runInProcess(context, 'import', 'accounts', file, '--dry-run', '--json')
  expect(dry.json()).toMatchObject({ dryRun: true, lines: 15, added: 4, rejected: 11 })
  expect(await listImports(database.db, { after: '', limit: 9 })).toEqual([])
  const rejected = await reportOf(file)

  const done = await runInProcess(context, 'import', 'accounts', file, '--json')
  expect(done.code).toBe(3)
  expect(done.json()).toMatchObject({ dryRun: false, lines: 15, added: 4, rejected: 11 })
  expect(await reportOf(file)).toEqual(rejected)
  expect(rejected.map(({ line, code }) => `${line} ${code}`)).toEqual([
    '6 DUPLICATE_OWNER',
    '7 DUPLICATE_USERNAME',
    '8 DUPLICATE_EXTERNAL_ID',
    '9 INVALID_OWNER',
    '10 INVALID_KIND',
    '11 USERNAME_REFUSED',
    '12 USERNAME_REFUSED',
    '13 INVALID_LINE',
    '14 INVALID_LINE',
    '15 INVALID_OWNER',
    '16 INVALID_LINE',
  ])
  expect((await listImports(database.db, { after: '', limit: 9 })).map((one) => one.externalId)).toEqual([
    ...['u-1', 'u,"2"', null, '=1+1'],
  ])
  const again = await runInProcess(context, 'import', 'accounts', file, '--json')
  expect(again.json()).toMatchObject({ added: 0, updated: 0, unchanged: 4, rejected: 11 })

  // What was corrected in the report is imported from there.
  const corrected = await fileOf(
    'corrected.ndjson',
    rejected
      .filter(({ line }) => line === 11)
      .map((line) => JSON.stringify({ ...line, username: 'erin' }))
      .join('\n'),
  )
  const second = await runInProcess(context, 'import', 'accounts', corrected)
  expect(second).toMatchObject({ code: 0, stdout: '1 line, 1 added.\n' })
  await expect(reportOf(corrected)).rejects.toThrow('ENOENT')
  const acts = await database.db.selectFrom('audit_log').select(['act', 'subject', 'after']).execute()
  expect(acts).toMatchObject([
    { act: 'accounts.import', subject: 'users.csv', after: { lines: [2, 17], added: 4, updated: 0 } },
    { act: 'accounts.import', subject: 'corrected.ndjson' },
  ])

  const back = await runInProcess(context, 'import', 'accounts', file, '--withdraw', '--json')
  expect(back.json()).toMatchObject({ withdrawn: 4 })
  expect(await findUsernameConflict(database.db, 'alice')).toBeUndefined()
  const left = await runInProcess(context, 'import', 'list')
  expect(left.stdout.trim().split('\n')).toHaveLength(1)
})

test('behavior: 10,000 EOAs are reserved in bounded time and memory, and the file again changes nothing', async () => {
  await using database = await freshDatabase(testEngines().includes('postgresql') ? 'postgresql' : 'pglite')
  const context = contextOf(database)
  const rows = Array.from(
    { length: 10_000 },
    (_, index) =>
      `0x7${index.toString(16).padStart(39, '0')},${index % 2 === 0 ? 'safe' : 'eip7702'},cus_${index},person${index}`,
  )
  const file = await fileOf('many.csv', ['owner,kind,external_id,username', ...rows].join('\n'))
  const heap = () => process.memoryUsage().heapUsed
  const before = heap()
  const began = performance.now()
  const done = await runInProcess(context, 'import', 'accounts', file, '--json')
  reportFigure(24, 'Seconds for 10,000 imported EOAs', (performance.now() - began) / 1_000)
  reportFigure(24, 'MB of heap after 10,000 imported EOAs', Math.max(0, heap() - before) / 2 ** 20)
  expect(done.json()).toMatchObject({ lines: 10_000, added: 10_000, rejected: 0 })
  const again = await runInProcess(context, 'import', 'accounts', file, '--json')
  expect(again.json()).toMatchObject({ added: 0, unchanged: 10_000, rejected: 0 })
  expect(await findUsernameConflict(database.db, 'person9999')).toBe('reserved')
})

test('behavior: 10,000 lines of garbage and a line of 64 MB cost the good lines nothing', async () => {
  await using database = await freshDatabase()
  const garbage = Array.from(
    { length: 10_000 },
    (_, index) => `{"owner":${index},"\u0000${'['.repeat(index % 50)}`,
  )
  const good = (number: number) =>
    JSON.stringify({ owner: eoa(number), kind: 'safe', username: `user${number}x` })
  const file = await fileOf(
    'garbage.ndjson',
    Buffer.concat([
      Buffer.from(`${good(1)}\n${garbage.join('\n')}\n${good(2)}\n{"owner":"`),
      Buffer.alloc(64 * 2 ** 20, 'a'),
      Buffer.from(`"}\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`${good(3)}\n`),
    ]),
  )
  const before = process.memoryUsage().arrayBuffers
  const done = await runInProcess(contextOf(database), 'import', 'accounts', file, '--json')
  expect(done.json()).toMatchObject({ added: 3, rejected: 10_002 })
  expect(done.stderr).toContain('5000 lines')
  // What was read and is not collected yet counts 64 MB at most. A line that is kept counts as much again.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(96 * 2 ** 20)
  expect((await reportOf(file)).slice(-2)).toMatchObject([
    { line: 10_003, message: expect.stringContaining('longer') },
    { line: 10_004, message: expect.stringContaining('UTF-8') },
  ])
})

test.each([
  ['a misspelt column', 'owner,kind,user_name\n', 'It has "user_name"'],
  ['semicolons', 'owner;kind;username\n', 'separated by commas'],
  ['no owner', 'kind,username\n', 'It has no owner'],
  ['UTF-16', Buffer.from('\ufeffowner,kind\n', 'utf16le'), 'The first line has to name the columns'],
])('error: a file with %s is rejected whole', async (name, content, message) => {
  await using database = await freshDatabase()
  const file = await fileOf(`${name}.csv`, content)
  const ended = await runInProcess(contextOf(database), 'import', 'accounts', file)
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
})

test('error: no such file, a folder, and a report in place of the file', async () => {
  await using database = await freshDatabase()
  const run = (...args: string[]) => runInProcess(contextOf(database), 'import', 'accounts', ...args)
  expect((await run(join(directory, 'absent.csv'))).stderr).toContain('ENOENT')
  expect((await run(directory)).stderr).toContain('it is not a file')
  const file = await fileOf('own.csv', 'owner,kind\n')
  expect((await run(file, '--report', file)).stderr).toContain('replace the file')
  expect(await readFile(file, 'utf8')).toBe('owner,kind\n')
})

test.each([
  ['', ['']],
  ['a,b', ['a', 'b']],
  ['a,', ['a', '']],
  [',"",', ['', '', '']],
  ['"a ""b"", c",d', ['a "b", c', 'd']],
  ['"a', undefined],
  ['a"b', undefined],
  ['"a"b', undefined],
])('splitCsvLine: %s', (line, fields) => {
  expect(splitCsvLine(line)).toEqual(fields)
})

test('readLines: lines do not depend on how the bytes arrive', async () => {
  const bytes = Buffer.from('\ufeffä\r\n\nlonger than ten\n✓')
  for (const size of [1, 2, 3, bytes.length]) {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const lines = []
    for await (const { text, problem } of readLines(chunks(), 10)) lines.push(text ?? problem)
    expect(lines).toEqual(['ä', '', 'too-long', '✓'])
  }
})
