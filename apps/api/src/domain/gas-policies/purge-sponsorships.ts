import type { Purger } from '../operations/dependencies.ts'
import { keepBuilds, purgeInBatches } from '../operations/track/purge.ts'

/**
 * Deletes sponsorships of builds that were never included, as a final block shows: nothing is charged for
 * them.
 *
 * @returns 0: they go with their builds, which are counted
 */
export const purgeSponsorships: Purger = async (database, now) => {
  const before = new Date(now.getTime() - keepBuilds)
  await purgeInBatches(async (limit) => {
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
          .limit(limit),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
  return 0
}
