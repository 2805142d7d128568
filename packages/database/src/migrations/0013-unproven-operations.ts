import { type Kysely, sql } from 'kysely'

/** An operation that may revert, and nothing vouches for its account: of a caller, at most one such is live. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table relayer_transactions add column unproven boolean not null default false`.execute(db)
}
