import type { Address, LocalAccount } from 'viem'
import type { EmbeddedContext } from './context.ts'
import { keepLease, type Lease, LeaseLost, releaseLease, takeLease } from './lease.ts'
import { replaceStuckTransaction } from './replace-stuck-transaction.ts'
import { sendFiller } from './send-filler.ts'
import { sendNextBundle } from './send-next-bundle.ts'
import { settleTransactions, unsettledRows } from './settle-transactions.ts'
import { waitingOperations } from './waiting-operations.ts'

/**
 * Lets one relayer do all that it can do now: settle its transactions, then send what waits.
 *
 * Returns at once when another process holds the relayer. That process looks at the queue again after it has given the
 * relayer back, so an operation that was submitted in between is seen by one of the two.
 */
export async function drainQueue(context: EmbeddedContext, relayer: LocalAccount): Promise<void> {
  if (!(await hasWork(context, relayer.address))) return
  while (true) {
    const lease = await takeLease(context, relayer.address)
    if (!lease) return
    await context.checkpoint('relayer:lease-taken')
    const stopRenewing = keepLease(context, lease)
    let drained: boolean
    try {
      drained = await drainUnderLease(context, lease, relayer)
    } catch (error) {
      if (error instanceof LeaseLost) return
      throw error
    } finally {
      stopRenewing()
      await releaseLease(context, lease)
    }
    await context.checkpoint('relayer:lease-released')
    if (!drained || (await waitingOperations(context)).length === 0) return
  }
}

/** Asked of the database only: a drive without anything to do costs the chain's RPC nothing. */
async function hasWork(context: EmbeddedContext, relayer: Address): Promise<boolean> {
  if ((await waitingOperations(context)).length > 0) return true
  return (await unsettledRows(context, relayer)).length > 0
}

/** @returns false when operations may wait that this relayer cannot send now. */
async function drainUnderLease(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
): Promise<boolean> {
  let state = await settleTransactions(context, lease)
  await replaceStuckTransaction(context, lease, relayer, state)
  while (true) {
    if (state.liveNonces.size >= context.settings.maxInFlight) {
      state = await settleTransactions(context, lease)
      if (state.liveNonces.size >= context.settings.maxInFlight) return false
    }
    const nonce = lowestFree(state.chainNonce, state.liveNonces)
    const outcome = await sendNextBundle(context, lease, relayer, nonce)
    if (outcome === 'unwanted') return false
    if (outcome === 'nothing-waits') break
    if (outcome === 'sent') state.liveNonces.add(nonce)
  }
  await fillGap(context, lease, relayer, state)
  return true
}

/**
 * The rows are the truth about what is on its way, the chain about what has been used. The lowest nonce that is
 * neither comes next: so a gap, left by a transaction that a reorg or a foreign sender removed, is closed first.
 */
function lowestFree(chainNonce: number, liveNonces: ReadonlySet<number>): number {
  let nonce = chainNonce
  while (liveNonces.has(nonce)) nonce++
  return nonce
}

/** Nothing waits that could use the free nonce, and transactions stand behind it that it keeps from being mined. */
async function fillGap(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  { chainNonce, liveNonces }: { chainNonce: number; liveNonces: Set<number> },
): Promise<void> {
  for (let nonce = lowestFree(chainNonce, liveNonces); nonce < Math.max(...liveNonces); ) {
    await sendFiller(context, lease, relayer, nonce, await context.network.fees())
    liveNonces.add(nonce)
    nonce = lowestFree(chainNonce, liveNonces)
  }
}
