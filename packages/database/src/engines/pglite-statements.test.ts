import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../testing/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('pglite')
  await sql`create table thing (id int4 primary key, name text)`.execute(database.db)
})
afterAll(async () => {
  await sql`drop table thing`.execute(database.db)
  await database[Symbol.asyncDispose]()
})

/** Uses a statement often enough for a name. */
const thrice = async <T>(use: (time: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let time = 0; time < 3; time++) results.push(await use(time))
  return results
}

const countPrepared = async (like: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_prepared_statements where statement like ${like}`.execute(database.db)
  return rows[0]?.count
}

test('default: a statement gets a name on its second use, and the same results', async () => {
  const values = [7n, ['a', 'b'], new Date(0), null, true, { a: [1] }] as const
  const [big, list, date, nothing, truth, json] = values
  const results = await thrice(() =>
    sql`select ${big}::numeric as big, ${list}::text[] as list, ${date}::timestamptz as date, ${nothing}::text as nothing,
      ${truth}::bool as truth, ${JSON.stringify(json)}::jsonb as json, 5::int8 as number`.execute(
      database.db,
    ),
  )
  const row = { big, list, date, nothing, truth, json, number: 5 }
  expect(results.map(({ rows }) => rows)).toEqual([[row], [row], [row]])
  expect(await countPrepared('%as truth%')).toBe(1)
})

test('behavior: writes count their rows, and those of a failed transaction are undone', async () => {
  const { db } = database
  const insert = (executor: typeof db, id: number) =>
    sql`insert into thing (id, name) values (${id}::int4, 'one')`.execute(executor)
  const counts = await thrice((time) => insert(db, time))
  expect(counts.map(({ numAffectedRows }) => numAffectedRows)).toEqual([1n, 1n, 1n])
  const failing = db.transaction().execute(async (trx) => {
    await insert(trx, 10)
    await insert(trx, 0) // taken
  })
  await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'thing_pkey' })
  await expect(insert(db, 0)).rejects.toMatchObject({ code: '23505' })
  await db.transaction().execute((trx) => insert(trx, 11))
  const { rows } = await sql`select id from thing order by id`.execute(db)
  expect(rows).toEqual([0, 1, 2, 11].map((id) => ({ id })))
})

test('behavior: a column that a migration adds does not break it, in a transaction neither', async () => {
  const { db } = database
  const read = (executor: typeof db) =>
    sql<{ id: number }>`select * from thing where id = 0`.execute(executor)
  await thrice(() => read(db))
  await sql`alter table thing add column more int4`.execute(db)
  expect((await read(db)).rows).toEqual([{ id: 0, name: 'one', more: null }])
  await sql`alter table thing add column yet_more int4`.execute(db)
  const { rows } = await db.transaction().execute((trx) => read(trx))
  expect(rows).toEqual([{ id: 0, name: 'one', more: null, yet_more: null }])
})

test('behavior: it is planned again after a hundred uses, when its table may have grown', async () => {
  const { db } = database
  const read = () => sql`select name as grown from thing where id = ${1}::int4`.execute(db)
  const preparedAt = async () => {
    const { rows } = await sql<{ at: Date }>`
      select prepare_time as at from pg_prepared_statements where statement like 'select name as grown%'`.execute(
      db,
    )
    return rows[0]?.at.getTime()
  }
  await thrice(read)
  const first = await preparedAt()
  for (let time = 0; time < 98; time++) await read()
  expect(await preparedAt()).toBe(first)
  await read()
  expect(await preparedAt()).not.toBe(first)
})

test('behavior: the test that gets it next prepares its statements again', async () => {
  const read = (executor: TestDatabase['db']) => sql`select 'next' as word`.execute(executor)
  for (let lease = 0; lease < 2; lease++) {
    await using next = await freshDatabase('pglite')
    const results = await thrice(() => read(next.db))
    expect(results.map(({ rows }) => rows)).toEqual(Array(3).fill([{ word: 'next' }]))
  }
})
