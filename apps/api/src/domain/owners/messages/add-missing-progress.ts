import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

type Sql = ReturnType<typeof sql>

/** Rows of one statement. */
const batch = 5_000

/**
 * Lets a network wait for the changes and the complete recoveries that it has no row for: it is newer than they are. With a row
 * for each, what is due is read from an index instead of from all that was ever signed.
 *
 * @param since - older ones have their rows already
 */
export async function addMissingProgress(
  database: Kysely<Database>,
  network: number,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<void> {
  const add = (table: 'owner_changes' | 'recoveries', kind: Sql, signedAt: Sql) => sql`
    insert into message_progress (account, hash, network, kind, next_attempt_at)
    select message.account, message.hash, ${network}::int8, ${kind}, ${now}::timestamptz
    from ${sql.table(table)} as message
    where ${signedAt} >= ${since}::timestamptz and not exists (
      select from message_progress as progress
      where progress.network = ${network}::int8 and progress.account = message.account
        and progress.hash = message.hash
    )
    limit ${batch}::int4
    on conflict do nothing`
  const guardiansKind = sql`case when message.new_owners is null then 'cancellation' else 'recovery' end`
  for (const statement of [
    add('owner_changes', sql`'change'`, sql`message.created_at`),
    add('recoveries', guardiansKind, sql`message.complete_at`),
  ]) {
    let added = batch
    while (added > 0) added = Number((await statement.execute(database)).numAffectedRows ?? 0n)
  }
}

/** Milliseconds between looks, and how much older what is looked at may be than the look before. */
const interval = 3_600_000

/**
 * Does that from time to time: at first for all that was ever signed, then for what a replica may have written that does not
 * know the network.
 */
export function createProgressPass(
  { database, now }: { readonly database: Kysely<Database>; readonly now: () => Date },
  network: number,
) {
  let since = new Date(0)
  let next = 0
  return {
    hasWork: async () => now().getTime() >= next,
    async run(): Promise<void> {
      const began = now()
      await addMissingProgress(database, network, { since, now: began })
      since = new Date(began.getTime() - interval)
      next = began.getTime() + interval
    },
  }
}
