import type { LocalAccount } from 'viem'
import type { SenderContext } from './context.ts'
import type { Lease } from './lease.ts'
import type { SendOutcome } from './node-rejections.ts'
import { type OutgoingTransaction, sendTransaction } from './send-transaction.ts'
import type { TransactionFees } from './transaction-fees.ts'

/** Gas of an empty transfer to an account without code (Yellow Paper, G_transaction). */
const transferGas = 21_000n

/** What an empty transfer costs at most, wei. */
export const fillerCost = ({ maxFeePerGas }: Pick<TransactionFees, 'maxFeePerGas'>): bigint =>
  transferGas * maxFeePerGas

/**
 * Fills a nonce with an empty transfer, at the sender's own cost, so that later nonces can be mined.
 *
 * @returns undefined if that would cost more than the hourly limit; nothing was sent
 */
export async function sendFiller(
  context: SenderContext,
  lease: Lease,
  sender: LocalAccount,
  nonce: number,
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionFees,
  more: Pick<OutgoingTransaction, 'reason' | 'replaced'>,
): Promise<SendOutcome | undefined> {
  return await sendTransaction(context, lease, sender, {
    ...more,
    nonce,
    to: sender.address,
    data: '0x',
    gas: transferGas,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
    loss: fillerCost({ maxFeePerGas }),
  })
}
