import { scheduleDebit } from '@lanyard/database'
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
  const next = { attempts: attempts + 1, next_attempt_at: nextAttempt(attempts, now()), reason }
  const waits = await scheduleDebit(database, { order_id: orderId, network }, next)
  if (waits) log.warn({ orderId, network, reason }, 'a settlement waits')
}
