import type { LocalAccount } from 'viem'
import { encodeHandleOps } from '../entry-point/handle-ops.ts'
import type { TransactionFees } from './bundle-fees.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'
import type { Lease } from './lease.ts'
import type { SendOutcome } from './send-raw-transaction.ts'
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
  return await sendTransaction(context, lease, relayer, {
    nonce: bundle.nonce,
    to: context.entryPoint,
    data: encodeHandleOps(operations, relayer.address),
    gas: bundleGasLimit(operations),
    fees: bundle.fees,
    operations: bundle.operations.map(({ hash }) => hash),
  })
}
