import { type Kysely, sql } from 'kysely'

/**
 * Which background work a process has begun lately, so that replicas do not all do the same. A crash may lose it: then
 * some of it is done once more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table passes (
      name text collate "C" primary key,
      next_at timestamptz not null
    )`.execute(db)
}
