import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

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
  const changes = sql`
    insert into owner_change_progress (account, sequence, network, state, next_attempt_at)
    select change.account, change.sequence, ${network}::int8, 'pending', ${now}::timestamptz
    from owner_changes as change
    where change.created_at >= ${since}::timestamptz and not exists (
      select from owner_change_progress as progress
      where progress.network = ${network}::int8 and progress.account = change.account
        and progress.sequence = change.sequence
    )
    limit ${batch}::int4
    on conflict do nothing`
  const recoveries = sql`
    insert into recovery_progress (account, hash, network, state, next_attempt_at, starts)
    select recovery.account, recovery.hash, ${network}::int8, 'pending', ${now}::timestamptz,
      recovery.new_owners is not null
    from recoveries as recovery
    where recovery.complete_at >= ${since}::timestamptz and not exists (
      select from recovery_progress as progress
      where progress.network = ${network}::int8 and progress.account = recovery.account
        and progress.hash = recovery.hash
    )
    limit ${batch}::int4
    on conflict do nothing`
  for (const statement of [changes, recoveries]) {
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
