import { type Kysely, sql } from 'kysely'

/** Operations that a session key signs, with the key and its contract. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table operations
      add column session_key jsonb,
      add constraint operations_session_key_check check ((sign_mode = 'SESSION_KEY') = (session_key is not null))
  `.execute(db)
}
