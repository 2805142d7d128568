import type { LocalAccount } from 'viem'
import type { TransactionFees } from './bundle-fees.ts'
import type { EmbeddedContext } from './context.ts'
import type { Lease } from './lease.ts'
import { sendTransaction } from './send-transaction.ts'

/** A transfer of nothing to an account without code (Yellow Paper, G_transaction). */
const transferGas = 21_000n

/** Uses a nonce for nothing, at the relayer's own cost, so that those behind it can be mined. */
export async function sendFiller(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  nonce: number,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
): Promise<void> {
  await sendTransaction(context, lease, relayer, {
    nonce,
    to: relayer.address,
    data: '0x',
    gas: transferGas,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
    operations: [],
  })
}
