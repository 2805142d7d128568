import { type Kysely, sql } from 'kysely'

/** Accounts whose owner changes on a network are older than what this service has read, and are to be found there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table owner_histories (
      network int8 not null,
      account text collate "C" not null,
      attempts int4 not null default 0,
      next_attempt_at timestamptz not null,
      primary key (network, account)
    )`.execute(db)
}
