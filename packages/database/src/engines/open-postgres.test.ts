import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isUnavailable } from '../errors.ts'
import { openDatabase } from '../open-database.ts'
import { freshDatabase, testEngines } from '../testing/index.ts'

const terminateOthers = sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

const unhandled: unknown[] = []
process.on('uncaughtException', (error) => unhandled.push(error))

describe.skipIf(!testEngines().includes('postgresql'))('openDatabase (PostgreSQL)', () => {
  test('args: maxConnections', async () => {
    await using database = await freshDatabase('postgresql')
    await using limited = await openDatabase({ url: database.url, maxConnections: 2 })
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.02)`.execute(limited.db)))
    expect(limited.pool?.totalCount).toBe(2)
    const { rows } = await sql`
      select count(*) from pg_stat_activity
      where datname = current_database() and application_name = 'lanyard' and pid <> pg_backend_pid()`.execute(
      database.db,
    )
    expect(rows).toEqual([{ count: 2 }])
  })

  test('args: namedStatements, which are planned once for any values', async () => {
    await using database = await freshDatabase('postgresql')
    const readMode = async (url: string | undefined, namedStatements?: boolean) => {
      await using other = await openDatabase({ url, namedStatements })
      const { rows } = await sql<{ mode: string }>`
        select current_setting('plan_cache_mode') as mode`.execute(other.db)
      return rows[0]?.mode
    }
    expect(await readMode(database.url)).toBe('force_generic_plan')
    expect(await readMode(database.url, false)).toBe('auto')
    const chosen = new URL(database.url ?? '')
    chosen.searchParams.set('options', '-c plan_cache_mode=force_custom_plan')
    expect(await readMode(chosen.href)).toBe('force_custom_plan')
  })

  test('behavior: survives the server closing idle connections', async () => {
    await using database = await freshDatabase('postgresql')
    const warnings: string[] = []
    const log = { info: () => {}, warn: (_: object, message: string) => warnings.push(message) }
    await using other = await openDatabase({ url: database.url, log })
    await terminateOthers.execute(database.db)
    await expect.poll(() => warnings.length).toBeGreaterThan(0)
    await other.ping()
    expect(unhandled).toEqual([])
  })

  test('behavior: survives the server closing a connection inside a transaction', async () => {
    await using database = await freshDatabase('postgresql')
    await using other = await openDatabase({ url: database.url })
    const broken = other.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      await database.db.connection().execute((connection) => terminateOthers.execute(connection))
      await sleep(50)
      await sql`select 1`.execute(trx)
    })
    expect(await broken.catch(isUnavailable)).toBe(true)
    await other.ping()
    expect(unhandled).toEqual([])
  })

  test('behavior: a column that a newer replica adds does not break named statements', async () => {
    await using database = await freshDatabase('postgresql')
    await using other = await openDatabase({ url: database.url, maxConnections: 1 })
    const read = (db = other.db) => db.selectFrom('watched_contracts').selectAll().execute()
    for (let time = 0; time < 3; time++) await read()
    const named =
      await sql`select from pg_prepared_statements where statement like '%watched_contracts%'`.execute(
        other.db,
      )
    expect(named.rows).toHaveLength(1)
    await sql`alter table watched_contracts add column added int4`.execute(database.db)
    expect(await read()).toEqual([])

    for (let time = 0; time < 3; time++) await read()
    await sql`alter table watched_contracts add column added_later int4`.execute(database.db)
    let attempts = 0
    const readInTransaction = other.db.transaction().execute(async (transaction) => {
      attempts++
      return read(transaction)
    })
    expect(await readInTransaction).toEqual([])
    expect(attempts).toBe(2)
  })

  test('args: without named statements', async () => {
    await using database = await freshDatabase('postgresql')
    await using other = await openDatabase({ url: database.url, namedStatements: false, maxConnections: 1 })
    for (let time = 0; time < 3; time++) await other.ping()
    expect((await sql`select from pg_prepared_statements`.execute(other.db)).rows).toEqual([])
  })

  test('behavior: can be closed twice', async () => {
    await using database = await freshDatabase('postgresql')
    await database.close()
    await database.close()
    expect(await database.ping().catch(isUnavailable)).toBe(true)
  })

  test('error: DATABASE_UNAVAILABLE if nothing listens', async () => {
    const opening = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none' })
    await expect(opening).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('error: DATABASE_UNAVAILABLE with what the server says about a database that does not exist', async () => {
    await using database = await freshDatabase('postgresql')
    const url = new URL(database.url ?? '')
    url.pathname = '/nowhere'
    await expect(openDatabase({ url: url.href })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringMatching(/database "nowhere" does not exist.*DATABASE_URL/),
    })
  })
})
