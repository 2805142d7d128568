import { type Kysely, sql } from 'kysely'
import { fillSkeletons } from './0013-username-skeletons.ts'

/**
 * Skeletons now also cover look-alikes of one script. Of existing names that look the same, the oldest keeps
 * the skeleton. All of them remain valid.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update users set username_skeleton = null where username_skeleton is not null`.execute(db)
  await fillSkeletons(db)
}
