import { LanyardError } from '@lanyard/contracts'
import type { Database, OrderDebitRow, OrderRow } from '@lanyard/database'
import type { OrderMarker } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import { isAddressEqual } from 'viem'
import type { BuildTarget } from '../../operations/build/build-target.ts'

/** An order and its debits, ascending by network. */
export interface FoundOrder {
  readonly order: OrderRow
  readonly debits: readonly OrderDebitRow[]
}

/**
 * Finds the order that a marker names. Another account's order is treated as one that does not exist.
 *
 * @throws UNKNOWN_ORDER; ORDER_MISMATCH when it is for another network or another contract
 */
export async function findOrder(
  database: Kysely<Database>,
  { orderId, smartBalance }: OrderMarker,
  { wallet, network }: BuildTarget,
): Promise<FoundOrder> {
  const order = await database
    .selectFrom('orders')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('account', '=', wallet.address.toLowerCase())
    .executeTakeFirst()
  if (!order) throw new LanyardError('UNKNOWN_ORDER')
  const { smartBalance: configured } = network.config
  if (order.output_network !== network.chainId || !configured || !isAddressEqual(smartBalance, configured)) {
    throw new LanyardError('ORDER_MISMATCH', {
      message: `This order is for network ${order.output_network}. Build it there, with the paymasterData of the solution.`,
      details: { outputNetwork: order.output_network },
    })
  }
  const debits = await database
    .selectFrom('order_debits')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('network')
    .execute()
  return { order, debits }
}
