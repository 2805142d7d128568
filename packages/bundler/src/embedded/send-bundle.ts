import type { Address, LocalAccount } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import type { TransactionFees } from './bundle-fees.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import { type DeferReason, defer } from './defer.ts'
import type { Lease } from './lease.ts'
import { isUnwanted, type SendOutcome } from './send-raw-transaction.ts'
import { sendTransaction } from './send-transaction.ts'
import type { StoredOperation } from './stored-operation.ts'

/** Sends operations that passed a simulation together as one `handleOps`, their fees going to the relayer. */
export async function sendBundle(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  bundle: {
    readonly nonce: number
    readonly fees: TransactionFees
    readonly operations: readonly StoredOperation[]
  },
): Promise<SendOutcome | undefined> {
  const operations = bundle.operations.map(({ operation }) => operation)
  const outcome = await sendTransaction(context, lease, relayer, {
    nonce: bundle.nonce,
    to: context.entryPoint,
    data: encodeHandleOps(operations, relayer.address),
    gas: bundleGasLimit(operations),
    fees: bundle.fees,
    operations: bundle.operations.map(({ hash }) => hash),
  })
  if (outcome !== undefined && isUnwanted(outcome)) {
    const reason = unwanted(outcome, relayer.address)
    await defer(
      context,
      lease,
      bundle.operations.map((stored) => ({ stored, reason })),
    )
  }
  return outcome
}

const unwanted = (outcome: SendOutcome, relayer: Address): DeferReason => ({
  code: 'BUNDLER_UNAVAILABLE',
  message:
    outcome === 'insufficient-funds'
      ? `The relayer ${relayer} has too little to send the transaction. It is tried again.`
      : 'The network did not take the transaction. It is tried again.',
})
