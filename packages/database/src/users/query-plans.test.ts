// @promise 17
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutTimeout } from '../engines/pool-with-timeouts.ts'
import type { Database } from '../schema.ts'
import { freshDatabase, type TestDatabase, testEngines } from '../testing/index.ts'
import { findAccount } from './find-account.ts'
import { searchUsers } from './search-users.ts'
import { findUserByName, findUsernameConflict } from './usernames.ts'

/** 40,000 users: every fourth an EOA's, every fifth named by an e-mail address. */
async function fill(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into users (id, kind, username, username_key, username_skeleton, created_at)
    select gen_random_uuid(), case when i % 4 = 0 then 'eoa' else 'passkey' end, name, name, name, now()
    from generate_series(1, 40000) as i,
      lateral (select substr(md5(i::text), 1, 12) || '-' || i
        || case when i % 5 = 0 then '@example.org' else '' end) as named (name)`.execute(db)
  await sql`
    insert into accounts (address, user_id, eoa_address, passkey_x, deployment, created_at)
    select '0x' || substr(encode(sha256(id::text::bytea), 'hex'), 1, 40), id,
      case when kind = 'eoa' then '0x' || substr(encode(sha256(username::bytea), 'hex'), 1, 40) end,
      case when kind = 'passkey' then 1 end, '{}', now()
    from users`.execute(db)
  await sql`vacuum analyze users, accounts`.execute(db)
}

/** What one query may read: the common substring is in a thousand names. */
const maxRows = 2_000

/** What `run` reads of users and accounts, according to the server's statistics. */
async function countReads(
  db: Kysely<Database>,
  run: (trx: Kysely<Database>) => Promise<unknown>,
  plans: 'auto' | 'force_generic_plan' = 'auto',
) {
  // Until it is flushed, the count also includes earlier statements of the session.
  const count = sql<{ scans: number; rows: number }>`
    select sum(seq_scan) as scans, sum(seq_tup_read + idx_tup_fetch) as rows
    from pg_stat_xact_user_tables where relname in ('users', 'accounts')`
  return db.transaction().execute(async (trx) => {
    await sql.raw(`set local plan_cache_mode = ${plans}`).execute(trx)
    const before = await count.execute(trx)
    await run(trx)
    const after = await count.execute(trx)
    const risen = (name: 'scans' | 'rows') => Number(after.rows[0]?.[name]) - Number(before.rows[0]?.[name])
    /** Scans of whole tables, and rows fetched in any way. */
    return { tableScans: risen('scans'), rows: risen('rows') }
  })
}

describe.skipIf(!testEngines().includes('postgresql'))('query plans (PostgreSQL, 40,000 users)', () => {
  let database: TestDatabase
  let db: Kysely<Database>
  beforeAll(async () => {
    database = await freshDatabase('postgresql')
    db = database.db
    await withoutTimeout(() => fill(db))
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test.each(['auto', 'force_generic_plan'] as const)(
    'behavior: no query reads a whole table (%s)',
    async (plans) => {
      const owned = await db
        .selectFrom('accounts')
        .selectAll()
        .where('eoa_address', 'is not', null)
        .limit(1)
        .executeTakeFirstOrThrow()
      const eoa = owned.eoa_address ?? ''
      const queries: Record<string, (trx: Kysely<Database>) => Promise<unknown>> = {
        findUserByName: (trx) => findUserByName(trx, 'ABC'),
        findUsernameConflict: (trx) => findUsernameConflict(trx, 'abc'),
        'findAccount, smart account': (trx) => findAccount(trx, owned.address),
        'findAccount, EOA': (trx) => findAccount(trx, eoa),
        'searchUsers, common prefix': (trx) => searchUsers(trx, 'ab'),
        'searchUsers, rare prefix': (trx) => searchUsers(trx, 'abcde'),
        'searchUsers, unknown prefix': (trx) => searchUsers(trx, 'zz'),
        'searchUsers, common substring': (trx) => searchUsers(trx, '-12'),
        'searchUsers, rare substring': (trx) => searchUsers(trx, '-1234'),
        'searchUsers, unknown substring': (trx) => searchUsers(trx, 'zzzz'),
        'searchUsers, punctuation': (trx) => searchUsers(trx, '---'),
        'searchUsers, whole e-mail address': (trx) => searchUsers(trx, 'zzzz@example.org'),
        'searchUsers, any address': (trx) => searchUsers(trx, '0x'),
        'searchUsers, beginning of an address': (trx) => searchUsers(trx, owned.address.slice(0, 6)),
        'searchUsers, address': (trx) => searchUsers(trx, owned.address),
        'searchUsers, EOA': (trx) => searchUsers(trx, eoa),
      }
      const costly: Record<string, unknown> = {}
      for (const [name, run] of Object.entries(queries)) {
        const reads = await countReads(db, run, plans)
        if (reads.tableScans > 0 || reads.rows > maxRows) costly[name] = reads
      }
      expect(costly).toEqual({})
      // Verifies that the count detects a scan.
      const scan = (trx: Kysely<Database>) =>
        trx.selectFrom('users').selectAll().where('kind', '=', 'eoa').execute()
      expect(await countReads(db, scan)).toEqual({ tableScans: 1, rows: 40_000 })
    },
  )

  test('behavior: a search by any short prefix reads only its page', async () => {
    const prefixes = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))
    for (const prefix of prefixes) {
      const { rows } = await countReads(db, async (trx) => {
        expect(await searchUsers(trx, prefix)).toHaveLength(20)
      })
      // Twenty users and their accounts; the planner sometimes also reads an end of an index.
      expect(rows, prefix).toBeLessThanOrEqual(45)
    }
  })

  test('behavior: a substring search reads only matching names, whatever the planner estimates', async () => {
    // The planner treats a substring of a name in the column's statistics as frequent.
    const { rows: bounds } = await sql<{ name: string }>`
      select unnest(histogram_bounds::text::text[]) as name from pg_stats
      where tablename = 'users' and attname = 'username_key'`.execute(db)
    expect(bounds).toHaveLength(101)
    for (const { name } of bounds) {
      const part = name.slice(3, 8)
      const { rows } = await countReads(db, (trx) => searchUsers(trx, part))
      // A page's worth of names from the query on, although none begins with it, and the few names that
      // contain it.
      expect(rows, part).toBeLessThanOrEqual(60)
    }
  })

  test('behavior: finds the first match by any plan', async () => {
    const listed = await db.selectFrom('users').select('username').where('listed', '=', true).execute()
    const names = listed.map(({ username }) => username).toSorted() // ASCII: the order of bytes
    // From parts of nearly every name to parts of none. Some occur a few times in the first names.
    for (const query of ['-1', '-12', '2-1', 'a-1', 'ab-', 'abc', 'c-12', 'ff-3', 'abcd', '0-399', 'zzz']) {
      const begin = names.filter((name) => name.startsWith(query))
      const contain = names.filter((name) => query.length > 2 && name.includes(query))
      const found = await searchUsers(db, query)
      expect(
        found.map(({ username }) => username),
        query,
      ).toEqual([...new Set([...begin, ...contain])].slice(0, 20))
    }
  })
})
