import { claimImports, deleteLapsedImports } from '@lanyard/database'
import { purgeEvents } from '../../domain/events/purge-events.ts'
import type { OperationDependencies } from '../../domain/operations/dependencies.ts'
import { createArchive, purgeAccounting, purgeUnsigned } from '../../domain/operations/track/purge.ts'
import { forgetCallers } from '../../domain/owners/forget-callers.ts'
import { purgeAnswers } from '../../pipeline/idempotency/claims.ts'
import { operationFeatures } from '../operation-features.ts'

/** Milliseconds between two purges of this process. */
const pause = 60_000

/** Imported accounts of one purge. */
const pageSize = 1_000

/**
 * Purges obsolete rows at intervals until the service closes, and archives operations.
 *
 * @param archiveAfter - days (OPERATIONS_ARCHIVE_AFTER)
 */
export function startPurgeWorker(
  closing: AbortSignal,
  { database, now, log }: Pick<OperationDependencies, 'database' | 'now' | 'log'>,
  archiveAfter: number | undefined,
): void {
  const runArchive = createArchive(database)
  const archive = (days: number) =>
    runArchive({ before: new Date(now().getTime() - days * 86_400_000), now: now(), signal: closing })
  let isRunning = false
  const purge = async () => {
    if (isRunning) return
    isRunning = true
    try {
      const deleted = await purgeUnsigned(database, operationFeatures, now())
      if (deleted > 0) log.info({ deleted }, 'deleted orders and builds that nobody signed')
      const answers = await purgeAnswers(database, now())
      if (answers > 0) log.info({ deleted: answers }, 'deleted answers to idempotency keys after a day')
      const events = await purgeEvents(database, now())
      if (events > 0) log.info({ deleted: events }, 'deleted events after 30 days')
      const bytes = await purgeAccounting(database, now())
      if (bytes > 0)
        log.info({ purged: bytes }, 'emptied old transactions, and deleted the budgets of past days')
      const claimed = await claimImports(database, { now: now(), limit: pageSize })
      if (claimed > 0) log.info({ claimed }, 'accounts got the names that were imported for them')
      const lapsed = await deleteLapsedImports(database, { before: now(), limit: pageSize })
      if (lapsed > 0) log.info({ deleted: lapsed }, 'deleted imported names that no EOA claimed in time')
      const callers = await forgetCallers(database, now())
      if (callers > 0) log.info({ purged: callers }, 'deleted what was left of the addresses of callers')
      const archived = archiveAfter === undefined ? 0 : await archive(archiveAfter)
      if (archived > 0) log.info({ archived }, 'moved operations to the partitions of their months')
    } catch (error) {
      log.warn({ err: error }, 'could not delete data that nobody needs any more; it will be retried')
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(purge, pause)
  closing.addEventListener('abort', () => clearInterval(timer))
}
