import { type Kysely, sql } from 'kysely'

/**
 * A counter that lets a build check, in the statement that writes it, that no locked change of the account
 * came first. A lock would need a transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column version int8 not null default 0`.execute(db)
}
