import { type Kysely, sql } from 'kysely'

/** The modules that accounts are created with, which the service must not change later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // At most one row: the primary key allows only true.
  await sql`
    create table account_modules (
      only_row boolean primary key default true check (only_row),
      ownership text collate "C"
    )`.execute(db)
}
