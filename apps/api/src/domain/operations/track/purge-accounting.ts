import {
  type Database,
  purgeLosses,
  purgeRawTransactions,
  purgeSponsorshipDays,
  purgeSuspensions,
} from '@lanyard/database'
import type { Kysely } from 'kysely'

/** Milliseconds for which the signed bytes of a transaction are kept: far longer than any reorg. */
const keepRaw = 7 * 24 * 60 * 60_000

/** Milliseconds for which the budget of a day is kept: far longer than an operation that counts there is valid. */
const keepDays = 90 * 24 * 60 * 60_000

/** Milliseconds for which an ended suspension is kept, so that its reason can be looked up. */
const keepSuspensions = 30 * 24 * 60 * 60_000

/** Rows that one statement changes. */
const limit = 1_000

/**
 * Purges what grows with each bundle and each sponsored account, and is not needed any more.
 *
 * @returns the number of rows
 */
export async function purgeAccounting(database: Kysely<Database>, now: Date): Promise<number> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  let purged = 0
  for (const [purge, before] of [
    [purgeRawTransactions, ago(keepRaw)],
    [purgeSponsorshipDays, ago(keepDays)],
    [purgeLosses, ago(keepDays)],
    [purgeSuspensions, ago(keepSuspensions)],
  ] as const) {
    for (let some = limit; some === limit; ) {
      some = await purge(database, { before, limit })
      purged += some
    }
  }
  return purged
}
