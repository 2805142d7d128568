import { LanyardError } from '@lanyard/contracts'
import type { Database, OrderRow } from '@lanyard/database'
import type { Kysely } from 'kysely'

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
