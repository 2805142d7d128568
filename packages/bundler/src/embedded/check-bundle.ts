import type { Address } from 'viem'
import { type Delegations, readDelegations } from '../eip7702/delegations.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { findUncoveredL1Data } from './covers-l1-data.ts'
import type { DeferReason } from './defer.ts'
import { mayStayInBundle } from './remembered-senders.ts'
import { simulateBatch } from './simulate-batch.ts'
import type { StoredOperation } from './stored-operation.ts'
import type { WaitingOperation } from './waiting-operations.ts'

interface Refused<S> {
  readonly stored: S
  readonly reason: DeferReason
  /** False: its account is not to blame. */
  readonly isFault?: boolean
}

export interface CheckedBundle<S> {
  /** Those that can be sent together now. */
  readonly operations: readonly S[]
  readonly refused: readonly Refused<S>[]
  /** Those of later bundles that may fail: see `confirmFailures`. */
  readonly doubted: readonly S[]
  /** Those whose authorisations are spent, so that they can never be sent. */
  readonly spent: readonly Refused<S>[]
  readonly delegations: Delegations
}

/**
 * Checks a bundle as it would be sent, at the head of the chain: all in one turn, so that it is one JSON-RPC batch.
 *
 * @param later - those that would follow it: if the bundle fails, the answer also refuses those of them that fail
 */
export async function checkBundle<
  S extends StoredOperation & Partial<Pick<WaitingOperation, 'owed' | 'failures'>>,
>(
  context: EmbeddedContext,
  relayer: Address,
  batch: readonly S[],
  fees: TransactionFees,
  later: readonly S[] = [],
): Promise<CheckedBundle<S>> {
  const mayStay = mayStayInBundle(context, batch)
  const all = batch.map(({ operation }) => operation)
  const [{ passing, failing, doubted }, uncovered, external, delegations] = await Promise.all([
    simulateBatch(context, relayer, batch, fees, later),
    findUncoveredL1Data(context, batch),
    context.rememberedSenders.read(all),
    readDelegations(context.network, all),
  ])
  const refusedBy = new Map<S, Refused<S>>()
  for (const one of uncovered) refusedBy.set(one.stored, { ...one, isFault: false })
  for (const one of failing) refusedBy.set(one.stored, one)
  const spent = new Map<S, Refused<S>>()
  for (const stored of batch) {
    const { refusal, isSpent } = delegations.get(stored.operation.sender.toLowerCase()) ?? {}
    if (!refusal) continue
    // A simulation that overrides its sender's code does not see this.
    refusedBy.delete(stored)
    const { code, message } = refusal
    ;(isSpent ? spent : refusedBy).set(stored, { stored, reason: { code, message } })
  }
  return {
    operations: passing.filter(
      (stored) => !refusedBy.has(stored) && !spent.has(stored) && mayStay(stored, external),
    ),
    refused: [...refusedBy.values()],
    doubted,
    spent: [...spent.values()],
    delegations,
  }
}
