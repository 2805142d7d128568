import { nextAttempt } from '../../../platform/backoff.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { DueDebit } from './due-debits.ts'

/** Schedules the next attempt for a debit, with a back-off, and records the reason. The debit stays due. */
export async function scheduleRetry(
  { database, now, log }: Pick<SettlementDependencies, 'database' | 'now' | 'log'>,
  network: number,
  { orderId, attempts }: Pick<DueDebit, 'orderId' | 'attempts'>,
  reason: string,
): Promise<void> {
  const waits = await database
    .updateTable('order_debits')
    .set({ attempts: attempts + 1, next_attempt_at: nextAttempt(attempts, now()), reason })
    .where('order_id', '=', orderId)
    .where('network', '=', network)
    .where('state', 'in', ['DUE', 'PARTIAL'])
    .executeTakeFirst()
  if (waits.numUpdatedRows > 0n) log.warn({ orderId, network, reason }, 'a settlement waits')
}
