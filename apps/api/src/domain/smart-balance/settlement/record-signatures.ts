import { LanyardError } from '@lanyard/contracts'
import { recordAcceptedSignature } from '@lanyard/database'
import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeEventLog, type Hash, type Hex } from 'viem'
import { getAbiItem, toEventSelector } from 'viem/utils'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'

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
    .select(['orders.order_id', 'signed.order_hash', 'orders.block_hash'])
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
  for (const [block, orders] of Map.groupBy(unsigned, ({ block_hash }) => block_hash)) {
    if (block === null) continue
    const signatures = await readSignatures(
      { network, contract },
      block as Hash, // both columns hold 0x and 64 digits
      orders.map(({ order_hash }) => order_hash as Hash),
    ).catch((error: unknown) => {
      if (!(error instanceof LanyardError)) throw error
      log.warn({ err: error, network: network.chainId, block }, 'the signatures of a block could not be read')
      return new Map<Hash, Hex>()
    })
    await checkpoint('tracking:signature-read')
    for (const { order_id, order_hash } of orders) {
      const signature = signatures.get(order_hash as Hash)
      if (signature === undefined) {
        // A reorg may have removed the block in the meantime; otherwise the node omits logs.
        log.warn({ orderId: order_id, network: network.chainId, block }, 'no log of a signed order yet')
        continue
      }
      await recordAcceptedSignature(database, order_hash, signature)
    }
    await checkpoint('tracking:signature-recorded')
  }
}

/** By order hash, as two RPCs confirm them: a wrong signature would make the debits uncollectable. */
async function readSignatures(
  { network, contract }: BalanceNetwork,
  block: Hash,
  orderHashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Hex>> {
  const logs = await network.quorum.logs(
    { hash: block },
    { address: contract.address, topics: [toEventSelector(signedEvent), orderHashes] },
  )
  return new Map(
    logs.map(({ topics, data }) => {
      const { orderHash, signature } = decodeEventLog({ abi: [signedEvent], topics, data }).args
      return [orderHash, signature]
    }),
  )
}
