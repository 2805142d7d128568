import {
  type ArchivePosition,
  archiveOperations,
  type Database,
  findArchivableNetworks,
} from '@lanyard/database'
import type { Kysely } from 'kysely'

/** Operations that one transaction looks at. */
const batchSize = 200

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
