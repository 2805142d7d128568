import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/** Days for which a row tells which visitors share a budget: a change or a recovery rarely waits longer. */
const keepCallers = 30

/** Rows that one statement changes. */
const limit = 1_000

/**
 * Deletes what is left of callers' addresses: in changes and recoveries, which are kept forever. A row without it counts for the budget that all visitors share.
 *
 * @returns the number of rows
 */
export async function forgetCallers(database: Kysely<Database>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keepCallers * 86_400_000)
  const forget = (table: 'owner_changes' | 'recoveries', key: 'sequence' | 'hash') => sql`
    update ${sql.table(table)} as kept set sent_by = split_part(kept.sent_by, ' ', 1)
    from (
      select account, ${sql.ref(key)} from ${sql.table(table)}
      where position(' ' in sent_by) > 0 and created_at < ${before}::timestamptz
      limit ${limit}::int4
    ) as old
    where kept.account = old.account and kept.${sql.ref(key)} = old.${sql.ref(key)}`
  let forgotten = 0
  for (const statement of [forget('owner_changes', 'sequence'), forget('recoveries', 'hash')]) {
    for (let some = limit; some === limit; ) {
      some = Number((await statement.execute(database)).numAffectedRows ?? 0n)
      forgotten += some
    }
  }
  return forgotten
}
