import type { Address, LocalAccount } from 'viem'
import { ownCost } from '../bundle-gas.ts'
import type { SenderContext } from './context.ts'
import type { Lease } from './lease.ts'
import type { SendOutcome } from './send-raw-transaction.ts'
import { type OutgoingTransaction, sendTransaction } from './send-transaction.ts'
import type { TransactionFees } from './transaction-fees.ts'

/** Gas of an empty transfer to an account without code (Yellow Paper, G_transaction). */
const transferGas = 21_000n

/** An empty transfer. Where L1 data is charged as gas, it needs gas for its data, too. */
async function prepareFiller(
  { network }: Pick<SenderContext, 'network'>,
  address: Address,
  { maxFeePerGas }: Pick<TransactionFees, 'maxFeePerGas'>,
) {
  const call = { to: address, data: '0x' } as const
  const l1Gas = network.config.l1Fee ? (await network.l1Fee(call)).gas : 0n
  const gas = transferGas + l1Gas
  return { ...call, gas, loss: await ownCost(network, { ...call, gas, maxFeePerGas }) }
}

/**
 * What an empty transfer costs at most, wei.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export const fillerCost = async (
  context: Pick<SenderContext, 'network'>,
  address: Address,
  fees: Pick<TransactionFees, 'maxFeePerGas'>,
): Promise<bigint> => (await prepareFiller(context, address, fees)).loss

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
  more: Pick<OutgoingTransaction, 'reason' | 'replaced' | 'ownCall'>,
): Promise<SendOutcome | undefined> {
  return await sendTransaction(context, lease, sender, {
    ...more,
    ...(await prepareFiller(context, sender.address, { maxFeePerGas })),
    nonce,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
  })
}
