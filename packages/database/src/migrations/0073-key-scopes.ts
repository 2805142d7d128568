import { type Kysely, sql } from 'kysely'

/** What a key may be used for, and the project that it belongs to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys
      add column scope text not null default 'full'
        check (scope in ('full', 'read', 'support', 'metrics')),
      add column project text`.execute(db)
}
