import { claimImports, deleteLapsedImports } from '@lanyard/database'
import { purgeEvents } from '../../domain/events/purge-events.ts'
import type { OperationDependencies } from '../../domain/operations/dependencies.ts'
import { createArchive, purgeAccounting, purgeUnsigned } from '../../domain/operations/track/purge.ts'
import { forgetCallers } from '../../domain/owners/forget-callers.ts'
import { purgeAnswers } from '../../pipeline/idempotency/claims.ts'
import { operationFeatures } from '../operation-features.ts'

/** Milliseconds between two purges of this process. */
const purgeInterval = 60_000

/** Imported accounts that one purge deletes, and at which it looks. */
const [pageSize, lookedAt] = [1_000, 10_000]

/** What the steps of a purge need. */
export type PurgeDependencies = Pick<OperationDependencies, 'database' | 'now' | 'log'>

/**
 * Purges obsolete rows at intervals until the service closes, and archives operations.
 *
 * @param archiveAfter - days (OPERATIONS_ARCHIVE_AFTER)
 */
export function startPurgeWorker(
  closing: AbortSignal,
  dependencies: PurgeDependencies,
  archiveAfter: number | undefined,
): void {
  const { database, now } = dependencies
  const runArchive = createArchive(database)
  const archive = (days: number) =>
    runArchive({ before: new Date(now().getTime() - days * 86_400_000), now: now(), signal: closing })
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    await purge(dependencies, archiveAfter === undefined ? undefined : () => archive(archiveAfter))
    isRunning = false
  }
  const timer = setInterval(run, purgeInterval)
  closing.addEventListener('abort', () => clearInterval(timer))
}

/** Takes each step once. One that fails is logged and stops no other: it is tried again with the next purge. */
export async function purge(
  { database, now, log }: PurgeDependencies,
  archive: (() => Promise<number>) | undefined,
): Promise<void> {
  const steps: readonly (readonly [done: string, step: () => Promise<number>])[] = [
    ['deleted orders and builds that nobody signed', () => purgeUnsigned(database, operationFeatures, now())],
    ['deleted answers to idempotency keys after a day', () => purgeAnswers(database, now())],
    ['deleted events after 30 days', () => purgeEvents(database, now())],
    [
      'emptied old transactions, and deleted the budgets of past days',
      () => purgeAccounting(database, now()),
    ],
    [
      'gave accounts the names that were imported for them',
      () => claimImports(database, { now: now(), limit: lookedAt }),
    ],
    [
      'deleted imported names that no EOA claimed in time',
      () => deleteLapsedImports(database, { before: now(), limit: pageSize }),
    ],
    ['deleted what was left of the addresses of callers', () => forgetCallers(database, now())],
    ...(archive ? [['moved operations to the partitions of their months', archive] as const] : []),
  ]
  for (const [done, step] of steps) {
    try {
      const count = await step()
      if (count > 0) log.info({ count }, done)
    } catch (error) {
      log.warn({ err: error, step: done }, 'a step of the purge failed; it will be retried')
    }
  }
}
