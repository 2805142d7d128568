import { type Kysely, sql } from 'kysely'

/**
 * A counter by which one statement finds that another signature of the account was first, where a lock would take a
 * transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column signatures int8 not null default 0`.execute(db)
}
