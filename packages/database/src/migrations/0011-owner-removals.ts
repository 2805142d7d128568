import { type Kysely, sql } from 'kysely'

/** Finds the operations whose calls may remove an owner, so that a sign-in asks the networks only after one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The selectors of removeOwner and swapOwner (Safe 1.4.1), wherever they are in the calls.
  for (const table of ['operations', 'archived_operations']) {
    await sql`
      create index ${sql.ref(`${table}_removing_owners`)} on ${sql.table(table)} (account)
      where user_op->>'callData' like '%f8dc5dd9%' or user_op->>'callData' like '%e318b52b%'`.execute(db)
  }
}
