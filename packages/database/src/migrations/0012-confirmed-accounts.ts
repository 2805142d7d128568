import { type Kysely, sql } from 'kysely'

/** Which accounts an EOA's user, or a server, asked for. Anybody can create the others with a publishable key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column confirmed boolean not null default true`.execute(db)
}
