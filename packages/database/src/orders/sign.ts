import { LanyardError } from '@lanyard/contracts'
import type { Kysely, Transaction } from 'kysely'
import type { Database, NewOrderOperationRow, OperationRow, OrderRow } from '../schema.ts'

/**
 * The reservation lasts as long as the operator's signature can be used. Runs in the transaction that writes that
 * signature, under the lock of the order's row.
 *
 * @param validUntil - Unix seconds
 */
export async function extendReservation(
  transaction: Transaction<Database>,
  { order_id }: Pick<OrderRow, 'order_id'>,
  validUntil: number,
): Promise<void> {
  await transaction
    .updateTable('orders')
    .set({ expires_at: new Date(validUntil * 1000) })
    .where('order_id', '=', order_id)
    .where('closed_at', 'is', null)
    .execute()
}

/** Writes the operation that the operator signed for an order. The same bytes are the same row. */
export async function recordOrderOperation(
  transaction: Transaction<Database>,
  row: NewOrderOperationRow,
): Promise<void> {
  await transaction
    .insertInto('order_operations')
    .values(row)
    .onConflict((conflict) => conflict.column('order_hash').doNothing())
    .execute()
}

/** Stores the owner's signature that the output network accepted, once. */
export async function recordAcceptedSignature(
  database: Kysely<Database>,
  orderHash: string,
  signature: string,
): Promise<void> {
  await database
    .updateTable('order_operations')
    .set({ signature })
    .where('order_hash', '=', orderHash)
    .where('signature', 'is', null)
    .execute()
}

/**
 * `RESERVED → SUBMITTED` in the transaction that writes the owner's signature. It does nothing for an
 * operation without an order. If the process dies afterwards, the worker sends the operation, and the order
 * follows it.
 *
 * @throws REBUILD when the order can no longer be used
 */
export async function submitOrder(
  transaction: Transaction<Database>,
  { user_op_hash }: Pick<OperationRow, 'user_op_hash'>,
): Promise<void> {
  const signed = await transaction
    .selectFrom('order_operations')
    .select(['order_id', 'order_hash'])
    .where('user_op_hash', '=', user_op_hash)
    .executeTakeFirst()
  if (!signed) return
  const submitted = await transaction
    .updateTable('orders')
    .set({ state: 'SUBMITTED', order_hash: signed.order_hash, user_op_hash })
    .where('order_id', '=', signed.order_id)
    // SUBMITTED: an operation with higher fees replaces the previous one.
    .where('state', 'in', ['RESERVED', 'SUBMITTED'])
    .where('closed_at', 'is', null)
    .returning('order_id')
    .executeTakeFirst()
  if (submitted) return
  throw new LanyardError('REBUILD', {
    message: 'The order in this operation has expired. Compute a new solution and build with it.',
    details: { userOpHash: user_op_hash, orderId: signed.order_id },
  })
}

/**
 * Reverts {@link submitOrder}, in the transaction that records that the bundler rejected the operation before
 * sending it: the order is RESERVED again, or again belongs to the operation that the rejected one was meant
 * to replace.
 */
export async function returnOrder(
  transaction: Transaction<Database>,
  { user_op_hash }: Pick<OperationRow, 'user_op_hash'>,
): Promise<void> {
  const order = await transaction
    .selectFrom('orders')
    .select('order_id')
    .where('user_op_hash', '=', user_op_hash)
    .where('state', '=', 'SUBMITTED')
    .forUpdate()
    .executeTakeFirst()
  if (!order) return
  const earlier = await transaction
    .selectFrom('order_operations')
    .innerJoin('operations', 'operations.user_op_hash', 'order_operations.user_op_hash')
    .select(['order_operations.order_hash', 'order_operations.user_op_hash'])
    .where('order_operations.order_id', '=', order.order_id)
    .where('order_operations.user_op_hash', '<>', user_op_hash)
    .where('operations.signature', 'is not', null)
    .where('operations.final', '=', false)
    .orderBy('order_operations.created_at', 'desc')
    .executeTakeFirst()
  await transaction
    .updateTable('orders')
    .set(
      earlier
        ? { order_hash: earlier.order_hash, user_op_hash: earlier.user_op_hash }
        : { state: 'RESERVED', order_hash: null, user_op_hash: null },
    )
    .where('order_id', '=', order.order_id)
    .execute()
}
