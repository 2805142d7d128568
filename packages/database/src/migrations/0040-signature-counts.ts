import { type Kysely, sql } from 'kysely'

/**
 * A counter that lets one statement detect that another signature of the account came first. A lock would
 * need a transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column signatures int8 not null default 0`.execute(db)
}
