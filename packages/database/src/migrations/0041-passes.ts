import { type Kysely, sql } from 'kysely'

/**
 * Background passes that a process has begun recently, so that replicas do not repeat them. A crash may lose
 * rows; then some of the work is done once more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table passes (
      name text collate "C" primary key,
      next_at timestamptz not null
    )`.execute(db)
}
