import type { Address } from 'viem'
import { type HandleOpsFailure, rejection } from '../entry-point/handle-ops-failure.ts'
import { simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import type { DeferReason } from './defer.ts'
import type { StoredOperation } from './stored-operation.ts'

export interface SimulatedBatch<S extends StoredOperation> {
  /** These pass `handleOps` together at the head of the chain. */
  readonly passing: readonly S[]
  readonly failing: readonly { readonly stored: S; readonly reason: DeferReason }[]
}

/** After so many failures of one bundle, its other operations are simulated each alone, all at once. */
const maxCulprits = 2

/**
 * Simulates a bundle as it would be sent. An operation that EntryPoint names is removed, and the others are
 * simulated again. If EntryPoint names none, or a third one, each operation is simulated alone: a bundle costs few round trips
 * however many of its operations fail.
 *
 * @param fees - what the bundle would offer
 */
export async function simulateBatch<S extends StoredOperation>(
  context: EmbeddedContext,
  relayer: Address,
  batch: readonly S[],
  fees: TransactionFees,
): Promise<SimulatedBatch<S>> {
  const failing: { stored: S; reason: DeferReason }[] = []
  let passing = batch
  let isSifted = false
  while (passing.length > 0) {
    const failure = await simulate(context, relayer, passing, fees)
    if (!failure) break
    const culprit = failure.index === undefined ? undefined : passing[failure.index]
    if (passing.length > 1 && !isSifted && (!culprit || failing.length === maxCulprits)) {
      const alone = await Promise.all(passing.map((stored) => simulate(context, relayer, [stored], fees)))
      for (const [index, found] of alone.entries()) {
        const stored = passing[index]
        if (found && stored) failing.push({ stored, reason: reasonOf(found) })
      }
      passing = passing.filter((_, index) => !alone[index])
      isSifted = true
      continue
    }
    // They only fail together: one goes now, the others are picked again later.
    if (!culprit && passing.length > 1) return { passing: passing.slice(0, 1), failing }
    const stored = culprit ?? passing[0]
    if (!stored) break
    failing.push({ stored, reason: reasonOf(failure) })
    passing = passing.filter((other) => other !== stored)
  }
  return { passing, failing }
}

async function simulate(
  { network }: EmbeddedContext,
  relayer: Address,
  batch: readonly StoredOperation[],
  fees: TransactionFees,
): Promise<HandleOpsFailure | undefined> {
  const operations = batch.map(({ operation }) => operation)
  return await simulateHandleOps({
    network,
    operations,
    relayer,
    gas: bundleGasLimit(operations, network.config.l1Fee),
    fees,
  })
}

/**
 * A used nonce may have been used by this very operation, in anyone's bundle. Reconciliation finds out: a
 * search through logs here would delay all other operations.
 */
function reasonOf(failure: HandleOpsFailure): DeferReason {
  if (failure.aaCode === 'AA25' || failure.aaCode === 'AA10') return null
  const { code, message } = rejection(failure)
  return { code, message }
}
