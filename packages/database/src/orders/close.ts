import type { Transaction } from 'kysely'
import type { Database, OrderRow } from '../schema.ts'
import { isOrderSigned } from './held-orders.ts'

interface Closing {
  readonly orderIds: readonly string[]
  /** The states from which an order may be closed: the guard of the update. */
  readonly from: readonly OrderRow['state'][]
  readonly to: 'EXPIRED' | 'SETTLED' | 'FAILED'
  readonly now: Date
}

/**
 * Closes orders and releases what is still reserved for them, in one transaction: deposits and liquidity are
 * released in the commit that ends the order. A co-signature stays open, because the account may hold it. An order that is in
 * another state by now is left alone.
 */
export async function closeOrders(
  transaction: Transaction<Database>,
  { orderIds, from, to, now }: Closing,
): Promise<void> {
  if (orderIds.length === 0) return
  const closed = await transaction
    .updateTable('orders')
    .set({ state: to, closed_at: now })
    .where('order_id', 'in', orderIds)
    .where('state', 'in', from)
    .where('closed_at', 'is', null)
    .returning('order_id')
    .execute()
  if (closed.length === 0) return
  await transaction
    .updateTable('order_debits')
    .set({ state: 'RELEASED' })
    .where(
      'order_id',
      'in',
      closed.map(({ order_id }) => order_id),
    )
    .where('state', '=', 'RESERVED')
    .execute()
}

/**
 * `RESERVED → EXPIRED` for all accounts' reservations on a network that were not built in time. The caller has to ensure
 * that a replica with a slower clock does not build them later. Rows that another transaction has locked are
 * skipped.
 */
export async function closeLateReservations(
  transaction: Transaction<Database>,
  outputNetwork: number,
  now: Date,
): Promise<void> {
  const late = await transaction
    .selectFrom('orders')
    .select('order_id')
    .where('output_network', '=', outputNetwork)
    .where('closed_at', 'is', null)
    .where('state', '=', 'RESERVED')
    .where('expires_at', '<=', now)
    .where((eb) => eb.not(isOrderSigned(eb)))
    .forUpdate()
    .skipLocked()
    .execute()
  const orderIds = late.map(({ order_id }) => order_id)
  await closeOrders(transaction, { orderIds, from: ['RESERVED'], to: 'EXPIRED', now })
}

interface Expiry {
  readonly orderId: string
  /** Number of operations that the operator had signed for the order when it was found to have ended. */
  readonly signed: number
  readonly now: Date
}

/** `RESERVED | SUBMITTED → EXPIRED`, unless the operator has signed another operation for the order in the meantime. */
export async function expireOrder(
  transaction: Transaction<Database>,
  { orderId, signed, now }: Expiry,
): Promise<void> {
  await transaction
    .selectFrom('orders')
    .select('order_id')
    .where('order_id', '=', orderId)
    .forUpdate()
    .execute()
  const { count } = await transaction
    .selectFrom('order_operations')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  if (Number(count) !== signed) return
  await closeOrders(transaction, {
    orderIds: [orderId],
    from: ['RESERVED', 'SUBMITTED'],
    to: 'EXPIRED',
    now,
  })
}
