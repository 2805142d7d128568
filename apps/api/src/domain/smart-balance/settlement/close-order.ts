import type { Database, OrderRow } from '@lanyard/database'
import type { Transaction } from 'kysely'

interface Closing {
  readonly orderId: string
  /** The states from which the order may be closed: the guard of the update. */
  readonly from: readonly OrderRow['state'][]
  readonly to: OrderRow['state']
  readonly now: Date
}

/**
 * Closes an order and releases what is still reserved for it. Runs in the caller's transaction: deposits and
 * liquidity are released in the same commit that ends the order.
 *
 * @returns false when the order is in another state by now
 */
export async function closeOrder(
  trx: Transaction<Database>,
  { orderId, from, to, now }: Closing,
): Promise<boolean> {
  const closed = await trx
    .updateTable('orders')
    .set({ state: to, closed_at: now })
    .where('order_id', '=', orderId)
    .where('state', 'in', from)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (closed.numUpdatedRows === 0n) return false
  await trx
    .updateTable('order_debits')
    .set({ state: 'RELEASED' })
    .where('order_id', '=', orderId)
    .where('state', '=', 'RESERVED')
    .execute()
  return true
}
