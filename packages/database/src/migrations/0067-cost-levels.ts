import { type Kysely, sql } from 'kysely'

/**
 * What callers cost lately. Unlogged, as the rate limits: after a crash every allowance is full, and no
 * commit waits for the disk.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table cost_levels (
      name text primary key,
      level float8 not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index cost_levels_by_age on cost_levels (updated_at)`.execute(db)
}
