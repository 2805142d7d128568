import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Database } from '../schema.ts'
import { freshDatabase, testEngines } from '../testing/index.ts'
import { findAccount } from './find-account.ts'
import { findUserByName } from './find-user-by-name.ts'
import { searchUsers } from './search-users.ts'
import { usernameExists } from './username-exists.ts'

/** 40,000 users: every fourth an EOA's, every fifth named by an e-mail address. */
async function fill(db: Kysely<Database>): Promise<void> {
  await sql`
    insert into users (id, kind, username, username_key, created_at)
    select gen_random_uuid(), case when i % 4 = 0 then 'eoa' else 'passkey' end, name, name, now()
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

/** How many scans of whole tables `run` makes, by the server's own count. */
async function tableScans(db: Kysely<Database>, run: (trx: Kysely<Database>) => Promise<unknown>) {
  // The count holds what the session did before, too, until it is flushed.
  const count = sql<{ scans: number }>`
    select sum(seq_scan) as scans from pg_stat_xact_user_tables where relname in ('users', 'accounts')`
  return db.transaction().execute(async (trx) => {
    const before = await count.execute(trx)
    await run(trx)
    const after = await count.execute(trx)
    return Number(after.rows[0]?.scans) - Number(before.rows[0]?.scans)
  })
}

describe.skipIf(!testEngines().includes('postgresql'))('query plans (PostgreSQL, 40,000 users)', () => {
  test('behavior: no query reads a whole table', async () => {
    await using database = await freshDatabase('postgresql')
    const { db } = database
    await fill(db)
    const owned = await db
      .selectFrom('accounts')
      .selectAll()
      .where('eoa_address', 'is not', null)
      .limit(1)
      .executeTakeFirstOrThrow()
    const eoa = owned.eoa_address ?? ''
    const queries: Record<string, (trx: Kysely<Database>) => Promise<unknown>> = {
      findUserByName: (trx) => findUserByName(trx, 'ABC'),
      usernameExists: (trx) => usernameExists(trx, 'abc'),
      'findAccount, smart account': (trx) => findAccount(trx, owned.address),
      'findAccount, EOA': (trx) => findAccount(trx, eoa),
      'searchUsers, common prefix': (trx) => searchUsers(trx, 'ab'),
      'searchUsers, rare prefix': (trx) => searchUsers(trx, 'abcde'),
      'searchUsers, unknown prefix': (trx) => searchUsers(trx, 'zz'),
      'searchUsers, common substring': (trx) => searchUsers(trx, '-12'),
      'searchUsers, rare substring': (trx) => searchUsers(trx, '-1234'),
      'searchUsers, unknown substring': (trx) => searchUsers(trx, 'zzzz'),
      'searchUsers, whole e-mail address': (trx) => searchUsers(trx, 'zzzz@example.org'),
      'searchUsers, any address': (trx) => searchUsers(trx, '0x'),
      'searchUsers, beginning of an address': (trx) => searchUsers(trx, owned.address.slice(0, 6)),
      'searchUsers, address': (trx) => searchUsers(trx, owned.address),
      'searchUsers, EOA': (trx) => searchUsers(trx, eoa),
    }
    const scans: Record<string, number> = {}
    for (const [name, run] of Object.entries(queries)) scans[name] = await tableScans(db, run)
    expect(scans).toEqual(Object.fromEntries(Object.keys(queries).map((name) => [name, 0])))
    // The count does see a scan.
    const scan = (trx: Kysely<Database>) =>
      trx.selectFrom('users').selectAll().where('kind', '=', 'eoa').execute()
    expect(await tableScans(db, scan)).toBe(1)
  })
})
