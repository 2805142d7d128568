import { LanyardError } from '@lanyard/contracts'
import type { Database, OrderDebitRow, OrderRow } from '@lanyard/database'
import type { OrderMarker } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import { isAddressEqual } from 'viem'
import type { BuildTarget } from '../../operations/build-request.ts'

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

/** Whether the operator has already signed an operation of the order. */
export async function isSignedByOperator(
  database: Kysely<Database>,
  { order_id }: Pick<OrderRow, 'order_id'>,
): Promise<boolean> {
  const signed = await database
    .selectFrom('order_operations')
    .select('order_hash')
    .where('order_id', '=', order_id)
    .limit(1)
    .executeTakeFirst()
  return signed !== undefined
}

/**
 * Rejects an order whose reservation has ended. For an order that the operator has signed, the chain's clock
 * decides; see `orderValidity`.
 *
 * @throws ORDER_EXPIRED
 */
export function requireUsable(order: OrderRow, { signed, now }: { signed: boolean; now: Date }): void {
  const open = order.closed_at === null && (order.state === 'RESERVED' || order.state === 'SUBMITTED')
  if (open && isCosigned(order) && (signed || order.expires_at > now)) return
  throw orderExpired(order)
}

/** The process may have died before the operator co-signed the withdrawal. */
const isCosigned = ({ withdrawal_amount, withdrawal_signature }: OrderRow) =>
  withdrawal_amount === 0n || withdrawal_signature !== null

/** The error for an order that can no longer be built. */
export const orderExpired = ({ order_id }: Pick<OrderRow, 'order_id'>): LanyardError =>
  new LanyardError('ORDER_EXPIRED', { details: { orderId: order_id } })
