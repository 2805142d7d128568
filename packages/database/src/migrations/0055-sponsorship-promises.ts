import { type Kysely, sql } from 'kysely'

/**
 * Builds only promise gas; the budgets are taken when the operation is submitted. Callers who turn promises
 * into money are suspended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sponsorships
      add column builder text collate "C",
      add column taken bool not null default true,
      add column verdict text`.execute(db)
  await sql`create index sponsorships_unjudged on sponsorships (network, valid_until) where verdict is null`.execute(
    db,
  )
  await sql`
    alter table sponsorship_days
      add column promised numeric(78, 0) not null default 0,
      add column promises int8 not null default 0`.execute(db)
  await sql`
    create table sponsorship_suspensions (
      network int8 not null,
      subject text collate "C" not null,
      reason text not null,
      user_op_hash text not null,
      since timestamptz not null,
      until timestamptz not null,
      primary key (network, subject)
    )`.execute(db)
}
