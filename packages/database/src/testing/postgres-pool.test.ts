/** @module-tag all */
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { insertUser } from '../../test/insert-user.ts'
import { freshDatabase, type TestDatabase, testEngines } from './index.ts'

const names = async (database: TestDatabase) =>
  (await sql<{ name: string }>`select current_database() as name`.execute(database.db)).rows[0]?.name

/** What the next test gets after one that did something with its database. */
async function nextAfter(work: (database: TestDatabase) => Promise<unknown>) {
  const first = await freshDatabase('postgresql')
  const before = await names(first)
  await work(first)
  await first[Symbol.asyncDispose]()
  const next = await freshDatabase('postgresql')
  return { next, isSame: (await names(next)) === before }
}

describe.skipIf(!testEngines().includes('postgresql'))(
  'databases of PostgreSQL that tests use in turn',
  () => {
    test('behavior: the next test gets the same database without rows, and its sequences start again', async () => {
      const { next, isSame } = await nextAfter(async ({ db }) => {
        await insertUser(db, 'anna')
        // A row that a migration wrote.
        await db.deleteFrom('audit_head').execute()
        await sql`select nextval(quote_ident(sequencename)::regclass) from pg_sequences`.execute(db)
      })
      await using database = next
      expect(isSame).toBe(true)
      expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
      expect(await database.db.selectFrom('audit_head').selectAll().execute()).toHaveLength(1)
      const started = await sql`select sequencename from pg_sequences where last_value is not null`.execute(
        database.db,
      )
      expect(started.rows).toEqual([])
    })

    test.each([
      'create table added (id int4)',
      'grant select on users to public',
      'alter table users disable trigger all',
      'alter table users set (fillfactor = 50)',
      'analyze users',
      `do $$ begin execute format('alter database %I set work_mem = 65536', current_database()); end $$`,
      'drop table ledger_entries cascade',
    ])('behavior: a database that a test changed is not used again: %s', async (statement) => {
      const { next, isSame } = await nextAfter(async ({ db }) => {
        await insertUser(db, 'anna')
        await sql.raw(statement).execute(db)
      })
      await using database = next
      expect(isSame).toBe(false)
      expect(await database.db.selectFrom('ledger_entries').selectAll().execute()).toEqual([])
    })

    test('behavior: connections that a process left, with their locks, do not reach the next test', async () => {
      let ended = false
      const left: pg.Client[] = []
      const { next, isSame } = await nextAfter(async ({ url }) => {
        const client = new pg.Client({ connectionString: url })
        client.on('error', () => {
          ended = true
        })
        await client.connect()
        await client.query('begin')
        await client.query('lock table users in access exclusive mode')
        left.push(client)
      })
      await using database = next
      expect(isSame).toBe(true)
      expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
      await expect.poll(() => ended).toBe(true)
      for (const client of left) await client.end().catch(() => {})
    })

    test('behavior: a database with many dead rows is not used again', async () => {
      const { next, isSame } = await nextAfter(({ db }) =>
        sql`insert into users (id, kind, username, username_key, created_at)
        select gen_random_uuid(), 'eoa', n::text, n::text, now() from generate_series(1, 6000) as n`.execute(
          db,
        ),
      )
      await using _ = next
      expect(isSame).toBe(false)
    })
  },
)
