import type { SignedUserOperation } from '@lanyard/accounts'
import type { Address } from 'viem'
import type { HandleOpsFailure } from '../entry-point/handle-ops-failure.ts'
import { refusal } from '../entry-point/refusal.ts'
import { simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import type { DeferReason } from './defer.ts'
import type { StoredOperation } from './stored-operation.ts'

export interface SimulatedBatch {
  /** These pass `handleOps` together at the head of the chain. */
  readonly passing: readonly StoredOperation[]
  readonly failing: readonly { readonly stored: StoredOperation; readonly reason: DeferReason }[]
}

/**
 * Simulates a bundle as it would be sent. An operation that the entry point names is taken out, the rest is simulated
 * again; when it names none, each is simulated alone.
 *
 * @param feesFor - what a bundle of these would offer; undefined: nothing that it could be sent with
 */
export async function simulateBatch(
  context: EmbeddedContext,
  relayer: Address,
  batch: readonly StoredOperation[],
  feesFor: (operations: readonly SignedUserOperation[]) => TransactionFees | undefined,
): Promise<SimulatedBatch> {
  const failing: { stored: StoredOperation; reason: DeferReason }[] = []
  let passing = batch
  while (passing.length > 0) {
    const failure = await simulate(context, relayer, passing, feesFor)
    if (!failure) break
    const culprit = failure.index === undefined ? undefined : passing[failure.index]
    if (!culprit && passing.length > 1) {
      const alone = await Promise.all(
        passing.map((stored) => simulateBatch(context, relayer, [stored], feesFor)),
      )
      // They fail together only: one goes now, the others come again.
      const passesAlone = alone.find((one) => one.passing.length > 0)?.passing ?? []
      return { passing: passesAlone, failing: [...failing, ...alone.flatMap((one) => one.failing)] }
    }
    const stored = culprit ?? passing[0]
    if (!stored) break
    failing.push({ stored, reason: reasonOf(failure) })
    passing = passing.filter((other) => other !== stored)
  }
  return { passing, failing }
}

async function simulate(
  { network, entryPoint }: EmbeddedContext,
  relayer: Address,
  batch: readonly StoredOperation[],
  feesFor: (operations: readonly SignedUserOperation[]) => TransactionFees | undefined,
): Promise<HandleOpsFailure | undefined> {
  const operations = batch.map(({ operation }) => operation)
  return await simulateHandleOps({
    network,
    entryPoint,
    operations,
    relayer,
    gas: bundleGasLimit(operations, network.config.l1Fee),
    fees: feesFor(operations),
  })
}

/**
 * A used nonce may have been used by this very operation, whoever bundled it. That is for the reconciliation to find out:
 * a search through logs would keep every other operation waiting.
 */
function reasonOf(failure: HandleOpsFailure): DeferReason {
  if (failure.aaCode === 'AA25' || failure.aaCode === 'AA10') return null
  const { code, message } = refusal(failure)
  return { code, message }
}
