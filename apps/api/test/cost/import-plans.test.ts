/** @module-tag all */
// @promise 19
import { claimImports, openDatabase } from '@lanyard/database'
import { testEngines } from '@lanyard/database/testing'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type ExplainedDatabase, explainedDatabase } from '../explained-statements.ts'

/** EOAs of a file that wait, and accounts that have nothing to do with it. */
const [waiting, others] = [20_000, 20_000]

const now = new Date('2026-11-26T12:00:00Z')
const addressOf = (n: RawBuilder<unknown>) => sql`'0x' || lpad(to_hex(${n}), 40, '0')`

async function fill({ url }: ExplainedDatabase): Promise<void> {
  if (!url) throw new TypeError('This fixture needs PostgreSQL')
  await using quiet = await openDatabase({ url, answerTimeout: 600_000 })
  await quiet.db.connection().execute(async (connection) => {
    // Without triggers, foreign keys are not checked row by row.
    await sql`select set_config('session_replication_role', 'replica', false),
      set_config('auto_explain.log_min_duration', '-1', false)`.execute(connection)
    const n = sql.raw('n')
    await sql`insert into imported_accounts (eoa_address, account_kind, imported_at, expires_at)
      select ${addressOf(n)}, case when n % 2 = 0 then 'safe' else 'eip7702' end, ${now}, ${now}
      from generate_series(1, ${waiting}::int4) as n`.execute(connection)
    // Every EOA of the file has an account of each kind, for which nothing is signed.
    await sql`insert into accounts (address, user_id, eoa_address, deployment, created_at)
      select ${addressOf(n)}, gen_random_uuid(), null, '{"kind":"eip7702"}', ${now}
      from generate_series(1, ${waiting + others}::int4) as n`.execute(connection)
    await sql`insert into accounts (address, user_id, eoa_address, deployment, created_at)
      select ${addressOf(sql.raw('1000000 + n'))}, gen_random_uuid(), ${addressOf(n)}, '{"saltNonce":"0"}', ${now}
      from generate_series(1, ${waiting}::int4) as n`.execute(connection)
    for (const table of ['accounts', 'imported_accounts'])
      await sql`analyze ${sql.table(table)}`.execute(connection)
  })
}

describe.skipIf(!testEngines().includes('postgresql'))('the look for imported EOAs that have come', () => {
  test.each(['auto', 'force_generic_plan'] as const)(
    'behavior: reads one page of them, however many wait (%s)',
    async (plans) => {
      await using database = await explainedDatabase(plans)
      const { db } = database
      await fill(database)
      database.take()
      const limit = 100
      expect(await claimImports(db, { now, limit })).toBe(0)
      const statements = database.take()
      expect(statements).toHaveLength(2)
      // The page for its end, and for each kind the page again and one account of each EOA.
      for (const { rows, scanned, text } of statements) {
        expect(scanned, text).toEqual([])
        expect(rows, text).toBeLessThanOrEqual(5 * limit)
      }
    },
  )
})
