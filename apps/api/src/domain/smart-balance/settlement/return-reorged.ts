import { returnReorgedOrder } from '@lanyard/database'
import { filterReorged } from '../../operations/track/reorgs.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { findTrackedOrders, type OpenOrder } from './tracked-orders.ts'

/**
 * `CLAIMED | FAILED → SUBMITTED` when a reorg removed the block. The operation service sends the identical
 * operation again. Attested orders are never affected: their block was final.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function returnReorged(
  { database, log }: SettlementDependencies,
  { network }: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const tracked = await findTrackedOrders(database, pass, ['CLAIMED', 'FAILED'])
  const reorged = await filterReorged(
    network,
    tracked.map(({ order }) => order),
  )
  for (const order of reorged) {
    log.warn({ orderId: order.order_id, network: network.chainId }, "a reorg removed an order's operation")
    await returnReorgedOrder(database, order)
  }
}
