import { type Kysely, sql } from 'kysely'

/**
 * Accounts that no caller has proven lapse. `signatures`, which each operation changes, is not part of the index, so that these
 * updates stay in their page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index accounts_unconfirmed on accounts (created_at) where not confirmed`.execute(db)
}
