import type { ErrorCode } from '@lanyard/contracts'
import { keepWaiting } from '@lanyard/database'
import { fenced, type Lease } from '../sender/lease.ts'
import { nextAttempt } from './backoff.ts'
import type { EmbeddedContext } from './context.ts'
import type { StoredOperation } from './stored-operation.ts'

/**
 * Why a delivered operation still waits. Null: its nonce is used, perhaps by this operation; reconciliation
 * finds out.
 */
export type DeferReason = { readonly code: ErrorCode; readonly message: string } | null

/** Puts operations back into the queue with the reason. The delay grows with the number of attempts. */
export async function defer(
  context: EmbeddedContext,
  lease: Lease,
  deferred: readonly { readonly stored: StoredOperation; readonly reason: DeferReason }[],
): Promise<void> {
  if (deferred.length === 0) return
  // Always in the same order, so that two relayers that defer the same operations cannot deadlock.
  const ordered = deferred.toSorted((a, b) => (a.stored.hash < b.stored.hash ? -1 : 1))
  await fenced(context, lease, async (trx) => {
    for (const { stored, reason } of ordered) {
      await keepWaiting(trx, [stored.hash], {
        attempts: stored.attempts + 1,
        next_attempt_at: nextAttempt(context, stored.attempts),
        reason_code: reason?.code ?? null,
        reason_message: reason?.message ?? null,
      })
    }
  })
}
