import { type Database, isOrderSigned } from '@lanyard/database'
import type { Transaction } from 'kysely'

/**
 * Closes reservations. Their co-signatures stay open, because the account may hold them.
 *
 * @param orderIds - RESERVED, and locked by the transaction directly or through their account
 */
export async function closeReservations(
  transaction: Transaction<Database>,
  orderIds: readonly string[],
  now: Date,
): Promise<void> {
  if (orderIds.length === 0) return
  const closed = await transaction
    .updateTable('orders')
    .set({ state: 'EXPIRED', closed_at: now })
    .where('order_id', 'in', orderIds)
    .where('state', '=', 'RESERVED')
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
 * Closes the reservations of all accounts on a network that were not built in time. The caller has to ensure
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
  await closeReservations(
    transaction,
    late.map(({ order_id }) => order_id),
    now,
  )
}
