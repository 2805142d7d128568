import { type Database, deleteBuilds } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { OperationFeatures } from '../operation-features.ts'

/**
 * Milliseconds that a build is kept after it ended, so that a caller who names it by its hash learns that it
 * expired.
 */
export const keepBuilds = 10 * 60_000

/** Number of rows that one statement deletes: a row may take 100 KB. */
const batchSize = 200

/**
 * Deletes builds that were not signed in time, after what features keep about them. One pass deletes everything that is due, no
 * matter how much. Any number of processes may run it concurrently; rows that another transaction
 * holds wait for the next pass.
 *
 * @returns the number of rows, as the purgers count them
 */
export async function purgeUnsigned(
  database: Kysely<Database>,
  { purgers, references }: Pick<OperationFeatures, 'purgers' | 'references'>,
  now: Date,
): Promise<number> {
  await database.deleteFrom('nonce_holds').where('expires_at', '<=', now).execute()
  let deleted = 0
  for (const purge of purgers) deleted += await purge(database, now)
  const before = new Date(now.getTime() - keepBuilds)
  return deleted + (await purgeInBatches((limit) => deleteBuilds(database, { before, limit, references })))
}

/** Repeats a statement that deletes at most `limit` rows until nothing is left. */
export async function purgeInBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0
  for (;;) {
    const some = await deleteSome(batchSize)
    deleted += some
    if (some < batchSize) return deleted
  }
}
