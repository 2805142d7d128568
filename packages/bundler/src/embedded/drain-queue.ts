import type { LocalAccount } from 'viem'
import { fillGap, lowestFree } from '../sender/free-nonces.ts'
import { type Lease, takeLease } from '../sender/lease.ts'
import { settleTransactions, unsettledRows } from '../sender/settle-transactions.ts'
import { underLease } from '../sender/under-lease.ts'
import type { EmbeddedContext } from './context.ts'
import { recallNonces, rememberNonces } from './recent-nonces.ts'
import { replaceStuckTransaction } from './replace-stuck-transaction.ts'
import { sendNextBundle } from './send-next-bundle.ts'
import { takeLeaseIfWaiting, type WaitingOperation, waitingOperations } from './waiting-operations.ts'

/**
 * Lets one relayer do everything that it can do now: settle its transactions, then send what waits.
 *
 * Returns immediately if another process holds the relayer. That process checks the queue again after it has
 * released the relayer, so one of the two sees an operation that was submitted in between.
 */
export async function drainQueue(context: EmbeddedContext, relayer: LocalAccount): Promise<void> {
  // Uses only the database: a drive with nothing to do makes no RPC requests.
  let { waiting, lease } = await takeLeaseIfWaiting(context, relayer.address)
  if (waiting.length === 0) {
    if ((await unsettledRows(context, relayer.address)).length === 0) return
    lease = await takeLease(context, relayer.address)
  }
  do {
    const found = waiting
    const drained = await underLease(context, lease, (held) => drainUnderLease(context, held, relayer, found))
    if (!drained) return
    ;({ waiting, lease } = await takeLeaseIfWaiting(context, relayer.address))
  } while (waiting.length > 0)
}

/**
 * @param found - what waited a moment ago; what another process has taken since is left out when a bundle is written
 * @returns false when operations may wait that this relayer cannot send now
 */
async function drainUnderLease(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  found: readonly WaitingOperation[],
): Promise<boolean> {
  let state = found.length > 0 ? recallNonces(context, lease) : undefined
  if (!state) {
    state = await settleTransactions(context, lease)
    await replaceStuckTransaction(context, lease, relayer, state)
  }
  // A bundle that fails its simulation uses no nonce, but still counts as a turn.
  let failedAttempts = 0
  for (let waiting = found; waiting.length > 0; waiting = await waitingOperations(context)) {
    if (state.liveNonces.size >= context.settings.maxInFlight) {
      state = await settleTransactions(context, lease)
      if (state.liveNonces.size >= context.settings.maxInFlight) return false
    }
    const nonce = lowestFree(state)
    const outcome = await sendNextBundle(context, lease, relayer, {
      waiting,
      nonce,
      turn: nonce + failedAttempts,
    })
    if (outcome === 'unwanted') return false
    if (outcome === 'sent') state.liveNonces.add(nonce)
    else failedAttempts++
  }
  await fillGap(context, lease, relayer, state)
  if (failedAttempts === 0) rememberNonces(context, lease, state)
  return true
}
