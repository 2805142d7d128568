import { type Kysely, sql } from 'kysely'

/**
 * Which gas policy pays for an operation. Budgets count operations beside wei, say what of `taken` is certain, and may
 * be those of all days (`day` is `total`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sponsorships add column policy text collate "C"`.execute(db)
  await sql`
    alter table sponsorship_days
      add column settled numeric(78, 0) not null default 0,
      add column operations int8 not null default 0`.execute(db)
}
