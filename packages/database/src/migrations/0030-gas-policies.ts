import { type Kysely, sql } from 'kysely'

/**
 * The gas policy that pays for an operation. Budgets also count operations and record which part of `taken`
 * is certain, and may cover all days (`day` is `total`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sponsorships add column policy text collate "C"`.execute(db)
  await sql`
    alter table sponsorship_days
      add column settled numeric(78, 0) not null default 0,
      add column operations int8 not null default 0`.execute(db)
}
