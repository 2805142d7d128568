import { smartBalanceAbi } from '@lanyard/onchain'
import type { Hash } from 'viem'
import { getAbiItem } from 'viem/utils'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'

const signedEvent = getAbiItem({ abi: smartBalanceAbi, name: 'OrderSigned' })

/**
 * Number of orders that one pass reads; the next pass continues. Providers limit the number of topics in a
 * filter.
 */
const passSize = 100

/**
 * Stores the signature that the output network accepted for each order with debits: its sources need it to
 * settle. SmartBalance publishes it in the block of the outcome, however the operation reached EntryPoint. It
 * may differ from the bytes that were submitted here. A signature stays valid once seen in any block: a reorg
 * changes the outcome of the order, not what its owner signed.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function recordSignatures(
  { database, checkpoint, log }: SettlementDependencies,
  { network, contract }: BalanceNetwork,
): Promise<void> {
  const unsigned = await database
    .selectFrom('orders')
    .innerJoin('order_operations as signed', 'signed.order_hash', 'orders.order_hash')
    .select(['orders.order_id', 'signed.order_hash', 'orders.block_number'])
    .where('orders.output_network', '=', network.chainId)
    .where('orders.closed_at', 'is', null)
    .where('orders.state', 'in', ['CLAIMED', 'FAILED', 'ATTESTED'])
    .where('signed.signature', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('order_debits')
          .select('order_debits.order_id')
          .whereRef('order_debits.order_id', '=', 'orders.order_id'),
      ),
    )
    // Newest first: an order whose log is never found does not delay the others.
    .orderBy('orders.block_number', 'desc')
    .limit(passSize)
    .execute()
  for (const [block, orders] of Map.groupBy(unsigned, ({ block_number }) => block_number)) {
    if (block === null) continue
    const logs = await network.call((client) =>
      client.getLogs({
        address: contract.address,
        event: signedEvent,
        args: { orderHash: orders.map(({ order_hash }) => order_hash as Hash) }, // the column holds 0x and 64 digits
        fromBlock: BigInt(block),
        toBlock: BigInt(block),
        strict: true,
      }),
    )
    await checkpoint('tracking:signature-read')
    const signatures = new Map<string, string>(logs.map(({ args }) => [args.orderHash, args.signature]))
    for (const { order_id, order_hash } of orders) {
      const signature = signatures.get(order_hash)
      if (signature === undefined) {
        // A reorg may have removed the block in the meantime; otherwise the node omits logs.
        log.warn({ orderId: order_id, network: network.chainId, block }, 'no log of a signed order yet')
        continue
      }
      await database
        .updateTable('order_operations')
        .set({ signature })
        .where('order_hash', '=', order_hash)
        .where('signature', 'is', null)
        .execute()
    }
    await checkpoint('tracking:signature-recorded')
  }
}
