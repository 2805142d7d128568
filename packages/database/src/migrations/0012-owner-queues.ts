import { type Kysely, sql } from 'kysely'

/** What stops a theft comes first, among calls of the relayers' own and what guardians signed; visitors are forgotten. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Replacements of an urgent call are paid as it is.
  await sql`alter table relayer_transactions add column urgent boolean not null default false`.execute(db)
  // False if it takes recoveries back.
  await sql`alter table recovery_progress add column starts boolean not null default true`.execute(db)
  await sql`
    update recovery_progress as progress set starts = false from recoveries as recovery
    where recovery.account = progress.account and recovery.hash = progress.hash and recovery.new_owners is null
      and not progress.final`.execute(db)
  await sql`
    create index recovery_progress_queue on recovery_progress (network, starts, next_attempt_at)
    where not final`.execute(db)
  // What tells of a visitor's address is deleted in time.
  for (const table of ['owner_changes', 'recoveries']) {
    await sql`
      create index ${sql.id(`${table}_of_visitors`)} on ${sql.table(table)} (created_at)
      where position(' ' in sent_by) > 0`.execute(db)
  }
}
