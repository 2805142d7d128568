import type { Kysely } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database, OrderRow } from '../schema.ts'
import { type OrderOutcome, outcomeColumns, stateOfOutcome } from './record-outcome.ts'

/** `CLAIMED | FAILED → SUBMITTED` when a reorg removed the block that the row names. */
export async function returnReorgedOrder(database: Kysely<Database>, order: OrderRow): Promise<void> {
  await database
    .updateTable('orders')
    .set({ state: 'SUBMITTED', outcome: null, txn_hash: null, block_number: null, block_hash: null })
    .where('order_id', '=', order.order_id)
    .where('state', '=', order.state)
    .where('state', 'in', ['CLAIMED', 'FAILED'])
    .where('block_hash', '=', order.block_hash)
    .execute()
}

interface RepairedOutcome {
  readonly outcome: OrderOutcome
  readonly userOpHash: string
}

/**
 * `EXPIRED → CLAIMED | FAILED` with the outcome in a final block. The order is reopened with its released debits:
 * attestors, settler and worker then continue from there.
 *
 * @returns whether the row was unchanged since it was read
 */
export const repairOrderOutcome = (
  database: Kysely<Database>,
  { order_id }: OrderRow,
  { outcome, userOpHash }: RepairedOutcome,
): Promise<boolean> =>
  inTransaction(database, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('orders')
      .set({
        ...outcomeColumns(outcome),
        state: stateOfOutcome(outcome.outcome),
        user_op_hash: userOpHash,
        closed_at: null,
      })
      .where('order_id', '=', order_id)
      .where('state', '=', 'EXPIRED')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction
      .updateTable('order_debits')
      .set({ state: 'RESERVED' })
      .where('order_id', '=', order_id)
      .where('state', '=', 'RELEASED')
      .execute()
    return true
  })
