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
 * Simulates a bundle as it would be sent. An operation that EntryPoint names is removed, and the others are
 * simulated again. If EntryPoint names none, each operation is simulated alone.
 *
 * @param feesFor - the fees that a bundle of these operations would offer; undefined: no fees at which it can
 * be sent
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
      // They only fail together: one goes now, the others are picked again later.
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
 * A used nonce may have been used by this very operation, in anyone's bundle. Reconciliation finds out: a
 * search through logs here would delay all other operations.
 */
function reasonOf(failure: HandleOpsFailure): DeferReason {
  if (failure.aaCode === 'AA25' || failure.aaCode === 'AA10') return null
  const { code, message } = refusal(failure)
  return { code, message }
}
