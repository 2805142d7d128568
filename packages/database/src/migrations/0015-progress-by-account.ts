import { type Kysely, sql } from 'kysely'

/** What became of an account's messages is read for the account; the keys of these tables begin with the network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['owner_change_progress', 'recovery_progress'])
    await sql`create index ${sql.id(`${table}_of_account`)} on ${sql.table(table)} (account)`.execute(db)
}
