import { type Database, deleteBuilds, deleteOrders } from '@lanyard/database'
import type { Kysely } from 'kysely'

/**
 * Milliseconds that a build is kept after it ended, so that a caller who names it by its hash learns that it
 * expired.
 */
const keepBuilds = 10 * 60_000

/**
 * Milliseconds that an order is kept after it was closed: orders that failed within a day count against an
 * account.
 */
const keepOrders = 24 * 60 * 60_000

/** Number of rows that one statement deletes: a row may take 100 KB. */
const batchSize = 200

/**
 * Deletes orders, sponsorships and builds that were not signed in time. One pass deletes everything that is due, no
 * matter how much. Any number of processes may run it concurrently; rows that another transaction
 * holds wait for the next pass.
 *
 * @returns the number of orders and builds
 */
export async function purgeUnsigned(database: Kysely<Database>, now: Date): Promise<number> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await database.deleteFrom('nonce_holds').where('expires_at', '<=', now).execute()
  const orders = await inBatches(() =>
    deleteOrders(database, { before: before(keepOrders), limit: batchSize }),
  )
  await inBatches(() => deleteSponsorships(database, before(keepBuilds)))
  const builds = await inBatches(() =>
    deleteBuilds(database, { before: before(keepBuilds), limit: batchSize }),
  )
  return orders + builds
}

/**
 * Deletes sponsorships of builds that were never included, as a final block shows: nothing is charged for
 * them.
 */
async function deleteSponsorships(database: Kysely<Database>, before: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('sponsorships')
    .where('user_op_hash', 'in', (eb) =>
      eb
        .selectFrom('sponsorships as due')
        .innerJoin('operations', 'operations.user_op_hash', 'due.user_op_hash')
        .select('due.user_op_hash')
        .where('due.charged', '=', 0n)
        .where('operations.signature', 'is', null)
        .where('operations.build_expires_at', '<=', before)
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function inBatches(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0
  for (;;) {
    const some = await deleteSome()
    deleted += some
    if (some < batchSize) return deleted
  }
}
