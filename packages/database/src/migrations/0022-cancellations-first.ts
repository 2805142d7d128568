import { type Kysely, sql } from 'kysely'

/** What stops a recovery goes first: in the queue of what owners and guardians signed, and at a relayer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Until then the relayer goes to a process with an urgent call. Null: to any.
  await sql`alter table relayer_leases add column urgent_until timestamptz`.execute(db)
  // The recoveries that run on a network. They are few: each has been started on chain.
  await sql`
    create index message_progress_running on message_progress (network, account)
    where kind = 'recovery' and state = 'running' and not final`.execute(db)
}
