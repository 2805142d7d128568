import { type Kysely, sql } from 'kysely'

/** Which tables of look-alikes a name's skeleton follows. 0: unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column skeleton_version int4 not null default 0`.execute(db)
  await sql`create index users_by_skeleton_version on users (skeleton_version, created_at, id)`.execute(db)
}
