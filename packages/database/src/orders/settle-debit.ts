import type { Kysely, Transaction } from 'kysely'
import type { Database, OrderDebitRow } from '../schema.ts'

/** States of a debit that a settlement can still change. */
export const openDebitStates = ['RESERVED', 'DUE', 'PARTIAL'] as const

/** States of a debit that the settler collects. */
const collectible = ['DUE', 'PARTIAL'] as const

type DebitKey = Pick<OrderDebitRow, 'order_id' | 'network'>

/** `RESERVED | DUE | PARTIAL → SETTLED | PARTIAL | LOST`, as a final block of the debit's network shows. */
export async function settleDebit(
  transaction: Transaction<Database>,
  { order_id, network }: DebitKey,
  change: Pick<OrderDebitRow, 'state' | 'due' | 'settled_amount'>,
): Promise<void> {
  await transaction
    .updateTable('order_debits')
    .set(change)
    .where('order_id', '=', order_id)
    .where('network', '=', network)
    .where('state', 'in', openDebitStates)
    .execute()
}

/**
 * Locks debits that are due, ascending by order, so that two settlers cannot both pick the same one.
 *
 * @returns whether all of them are due
 */
export async function lockDueDebits(
  transaction: Transaction<Database>,
  orderIds: readonly string[],
  network: number,
): Promise<boolean> {
  const due = await transaction
    .selectFrom('order_debits')
    .select('order_id')
    .where('order_id', 'in', orderIds)
    .where('network', '=', network)
    .where('state', 'in', collectible)
    .where('closed_at', 'is', null)
    .orderBy('order_id')
    .forUpdate()
    .execute()
  return due.length === orderIds.length
}

/** The debits are in a transaction: no retry is scheduled. The caller has locked them with {@link lockDueDebits}. */
export async function recordDebitsSent(
  transaction: Transaction<Database>,
  orderIds: readonly string[],
  network: number,
): Promise<void> {
  await transaction
    .updateTable('order_debits')
    .set({ reason: null, next_attempt_at: null })
    .where('order_id', 'in', orderIds)
    .where('network', '=', network)
    .execute()
}

/**
 * Schedules the next attempt for a debit that is still due, and records why it waits.
 *
 * @returns false when it is not due any more
 */
export async function scheduleDebit(
  database: Kysely<Database>,
  { order_id, network }: DebitKey,
  next: Pick<OrderDebitRow, 'attempts' | 'next_attempt_at' | 'reason'>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('order_debits')
    .set(next)
    .where('order_id', '=', order_id)
    .where('network', '=', network)
    .where('state', 'in', collectible)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records the transaction that settled an order's debit on a network. */
export async function recordSettlementTransaction(
  database: Kysely<Database>,
  network: number,
  { orderHash, txnHash }: { readonly orderHash: string; readonly txnHash: string },
): Promise<void> {
  await database
    .updateTable('order_debits')
    .from('orders')
    .set({ txn_hash: txnHash })
    .whereRef('orders.order_id', '=', 'order_debits.order_id')
    .where('orders.order_hash', '=', orderHash)
    .where('order_debits.network', '=', network)
    .execute()
}

/**
 * Ends a debit whose settlement window has passed in a final block.
 *
 * @returns undefined for a debit that was collected in full
 */
export const closeDebit = (
  database: Kysely<Database>,
  { order_id, network }: DebitKey,
  now: Date,
): Promise<Pick<OrderDebitRow, 'state' | 'due' | 'settled_amount'> | undefined> =>
  database
    .updateTable('order_debits')
    .set({ closed_at: now, next_attempt_at: null })
    .where('order_id', '=', order_id)
    .where('network', '=', network)
    .where('state', 'in', ['PARTIAL', 'LOST'])
    .returning(['state', 'due', 'settled_amount'])
    .executeTakeFirst()
