import { LanyardError } from '@lanyard/contracts'
import type { Database, OrderRow } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** Whether the operator has signed an operation of the order before. */
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
 * Refuses an order whose reservation has ended. One that the operator has signed is bound to the chain's clock; see
 * `orderValidity`.
 *
 * @throws ORDER_EXPIRED
 */
export function requireUsable(order: OrderRow, { signed, now }: { signed: boolean; now: Date }): void {
  const open = order.closed_at === null && (order.state === 'RESERVED' || order.state === 'SUBMITTED')
  if (open && isCosigned(order) && (signed || order.expires_at > now)) return
  throw orderExpired(order)
}

/** Its process may have died before the operator co-signed what it withdraws. */
const isCosigned = ({ withdrawal_amount, withdrawal_signature }: OrderRow) =>
  withdrawal_amount === 0n || withdrawal_signature !== null

/** The order can no longer be built. */
export const orderExpired = ({ order_id }: Pick<OrderRow, 'order_id'>): LanyardError =>
  new LanyardError('ORDER_EXPIRED', { details: { orderId: order_id } })
