import { type Kysely, sql } from 'kysely'

/**
 * Final operations and failed ones by time, for the lists of the console (what failed is little, so the indexes are small);
 * the events of an operation; and the months that were archived, so that a detached one is known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index operations_settled`.execute(db)
  await sql`
    create index operations_settled on operations (network, signed_at) where final and signed_at is not null`.execute(
    db,
  )
  const failed = sql`where signed_at is not null and (state in ('dropped', 'expired') or success = false)`
  await sql`create index operations_failed on operations (network, state, signed_at) ${failed}`.execute(db)
  for (const table of ['operations', 'archived_operations']) {
    const name = sql.ref(`${table}_failed_of_account`)
    await sql`create index ${name} on ${sql.table(table)} (account, state, signed_at) ${failed}`.execute(db)
  }
  // Without it, the planner believes that an account has few operations of a key, and reads and sorts them all.
  await sql`
    create statistics operations_of_sessions (mcv) on account, (session_key->>'key') from operations`.execute(
    db,
  )
  // A hash index: it is small, and events without an operation are not in it.
  await sql`create index events_by_operation on events using hash ((data ->> 'userOpHash'))`.execute(db)
  await sql`create table archived_months (month text primary key, created_at timestamptz not null)`.execute(
    db,
  )
  await sql`
    insert into archived_months (month, created_at)
    select distinct translate(substr(relname, 21, 7), '_', '-'), now() from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname ~ '^archived_operations_[0-9]{4}_[0-9]{2}'`.execute(db)
}
