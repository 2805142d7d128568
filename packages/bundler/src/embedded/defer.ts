import type { ErrorCode } from '@lanyard/contracts'
import { backOff, keepWaiting, nextAttempt, recordAttempts } from '@lanyard/database'
import type { StoredOperation } from '../operation-row.ts'
import { fenced, type Lease } from '../sender/lease.ts'
import type { EmbeddedContext } from './context.ts'

/**
 * Why a delivered operation still waits. Null: its nonce is used, perhaps by this operation; reconciliation
 * finds out.
 */
export type DeferReason = { readonly code: ErrorCode; readonly message: string } | null

interface Deferred {
  readonly stored: StoredOperation
  readonly reason: DeferReason
  /** False: its account is not to blame. */
  readonly isFault?: boolean
  /** Milliseconds until it is looked at again, each time: it has not been tried. */
  readonly recheckInterval?: number
}

/**
 * Puts operations back into the queue with the reason. The delay grows with the number of attempts. The accounts
 * of those at fault wait as a whole, longer with each failure.
 */
export async function defer(
  context: EmbeddedContext,
  lease: Lease,
  deferred: readonly Deferred[],
): Promise<void> {
  if (deferred.length === 0) return
  // Always in the same order, so that two relayers that defer the same operations cannot deadlock.
  const ordered = deferred.toSorted((a, b) => (a.stored.hash < b.stored.hash ? -1 : 1))
  const now = context.now()
  await fenced(context, lease, async (trx) => {
    await recordAttempts(
      trx,
      ordered.map(({ stored, reason, recheckInterval }) => ({
        user_op_hash: stored.hash,
        attempts: stored.attempts + (recheckInterval === undefined ? 1 : 0),
        next_attempt_at:
          recheckInterval === undefined
            ? nextAttempt(stored.attempts, now)
            : new Date(now.getTime() + recheckInterval),
        reason_code: reason?.code ?? null,
        reason_message: reason?.message ?? null,
      })),
    )
    const accounts = ordered.flatMap(({ stored, reason, isFault = reason !== null }) =>
      isFault ? [stored.operation.sender.toLowerCase()] : [],
    )
    if (accounts.length === 0) return
    await backOff(trx, context.network.chainId, accounts, now)
  })
}

/**
 * Tells why operations wait that nothing is wrong with: they stay due, so that they go as soon as they can. Only
 * a changed reason is written.
 */
export async function explain(
  { database }: EmbeddedContext,
  waiting: readonly { readonly stored: StoredOperation; readonly reason: NonNullable<DeferReason> }[],
): Promise<void> {
  for (const { stored, reason } of waiting) {
    if (stored.reasonCode === reason.code) continue
    await keepWaiting(database, [stored.hash], {
      reason_code: reason.code,
      reason_message: reason.message,
    })
  }
}
