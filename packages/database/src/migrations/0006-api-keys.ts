import { type Kysely, sql } from 'kysely'

/** API keys that are created and revoked while the service runs, in addition to those of the environment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id text collate "C" primary key,
      kind text not null check (kind in ('secret', 'publishable')),
      name text not null,
      key_hash text not null check (length(key_hash) = 64),
      origins jsonb not null check (jsonb_typeof(origins) = 'array'),
      created_at timestamptz not null,
      revoked_at timestamptz,
      -- A publishable key is for browsers on certain pages; a secret key must never be in one.
      check ((kind = 'publishable') = (jsonb_array_length(origins) > 0))
    )`.execute(db)
}
