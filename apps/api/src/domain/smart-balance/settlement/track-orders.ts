import type { Sweep } from '../../../platform/sweep.ts'
import { collectAttestations } from './attestations.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import { closeEndedOrders, expireOrders, returnReorged } from './end-orders.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { recordSignatures } from './record-signatures.ts'
import { type OpenOrder, sweepOrders } from './tracked-orders.ts'

/**
 * One pass over a bounded number of the open orders of an output network. It reads their outcome only from
 * the chain. Every step can be repeated, and two replicas may run it concurrently: each write is guarded by
 * the state that was read.
 *
 * @param sweep - the position after the previous pass; absent: begins with the oldest
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED; changes written by then remain valid
 */
export async function trackOrders(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  sweep: Sweep<OpenOrder> = sweepOrders(dependencies.database, on.network.chainId),
): Promise<void> {
  on.network.quorum.require()
  const pass = await sweep.next()
  await returnReorged(dependencies, on, pass)
  await recordOutcomes(dependencies, on, pass)
  await recordSignatures(dependencies, on)
  await expireOrders(dependencies, on, pass)
  await collectAttestations(dependencies, on, pass)
  await closeEndedOrders(dependencies, on, pass)
}

/** Whether a pass over the network has anything to do; reads only the database. */
export async function hasOpenOrders(
  { database }: Pick<SettlementDependencies, 'database'>,
  outputNetwork: number,
): Promise<boolean> {
  const open = await database
    .selectFrom('orders')
    .select('order_id')
    .where('output_network', '=', outputNetwork)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}
