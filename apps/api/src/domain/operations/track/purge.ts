import {
  type ArchivePosition,
  archiveOperations,
  type Database,
  deleteBuilds,
  deleteLapsedAccounts,
  findArchivableNetworks,
  purgeBudgets,
  purgeLosses,
  purgeRawTransactions,
  purgeSuspensions,
} from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { OperationFeatures } from '../dependencies.ts'

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

/** Milliseconds after which a pass begins with the oldest operation again, since what had to stay may move now. */
const wholePass = 24 * 60 * 60_000

/**
 * Moves old operations to the partitions of their months. Each pass continues where the last one of this process ended, so
 * that operations that stay (those of orders) are read once a day and not with every pass.
 *
 * @returns runs one pass and returns the number moved
 */
export function createArchive(
  database: Kysely<Database>,
): (pass: { readonly before: Date; readonly now: Date; readonly signal: AbortSignal }) => Promise<number> {
  const reached = new Map<number, ArchivePosition>()
  let wholeAt = 0
  return async ({ before, now, signal }) => {
    if (now.getTime() - wholeAt >= wholePass) {
      reached.clear()
      wholeAt = now.getTime()
    }
    let archived = 0
    for (const network of await findArchivableNetworks(database, before)) {
      for (let isDone = false; !isDone && !signal.aborted; ) {
        const after = reached.get(network)
        const { moved, next } = await archiveOperations(database, {
          network,
          before,
          after,
          now,
          limit: batchSize,
        })
        archived += moved
        if (next) reached.set(network, next)
        isDone = next === undefined
      }
    }
    return archived
  }
}

/** Milliseconds for which the signed bytes of a transaction are kept: far longer than any reorg. */
const keepRaw = 7 * 24 * 60 * 60_000

/** Milliseconds for which the budget of a day is kept: far longer than an operation that counts there is valid. */
const keepDays = 90 * 24 * 60 * 60_000

/** Milliseconds for which an ended suspension is kept, so that its reason can be looked up. */
const keepSuspensions = 30 * 24 * 60 * 60_000

/**
 * Milliseconds for which an EOA's account stays that a third party may have created, while nothing is signed for it. The EOA's
 * own app creates it again.
 */
const keepUnproven = 7 * 24 * 60 * 60_000

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
    [purgeBudgets, ago(keepDays)],
    [purgeLosses, ago(keepDays)],
    [purgeSuspensions, ago(keepSuspensions)],
    [deleteLapsedAccounts, ago(keepUnproven)],
  ] as const) {
    for (let some = limit; some === limit; ) {
      some = await purge(database, { before, limit })
      purged += some
    }
  }
  return purged
}
