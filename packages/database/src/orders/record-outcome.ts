import type { Kysely } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database, OrderRow } from '../schema.ts'

/** What a block of the output network shows of an order. */
export interface OrderOutcome {
  readonly orderHash: string
  readonly outcome: 'claimed' | 'failed'
  readonly txnHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
}

export const outcomeColumns = ({ orderHash, outcome, txnHash, blockNumber, blockHash }: OrderOutcome) => ({
  outcome,
  order_hash: orderHash,
  txn_hash: txnHash,
  block_number: Number(blockNumber),
  block_hash: blockHash,
})

export const stateOfOutcome = (outcome: OrderOutcome['outcome']) =>
  outcome === 'claimed' ? ('CLAIMED' as const) : ('FAILED' as const)

/** `RESERVED | SUBMITTED → CLAIMED | FAILED`: whichever of the order's operations was included. */
export async function recordOrderOutcome(database: Kysely<Database>, outcome: OrderOutcome): Promise<void> {
  await database
    .updateTable('orders')
    .from('order_operations as operation')
    .set((eb) => ({
      ...outcomeColumns(outcome),
      state: stateOfOutcome(outcome.outcome),
      user_op_hash: eb.ref('operation.user_op_hash'),
    }))
    .whereRef('operation.order_id', '=', 'orders.order_id')
    .where('operation.order_hash', '=', outcome.orderHash)
    .where('orders.state', 'in', ['RESERVED', 'SUBMITTED'])
    .execute()
}

/**
 * `CLAIMED | FAILED → ATTESTED`, unless the outcome has changed since the row was read. In the same transaction its
 * debits become DUE, or are released where nothing is to be paid.
 */
export async function recordAttested(database: Kysely<Database>, order: OrderRow): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const attested = await transaction
      .updateTable('orders')
      .set({ state: 'ATTESTED' })
      .where('order_id', '=', order.order_id)
      .where('state', '=', order.state)
      .where('state', 'in', ['CLAIMED', 'FAILED'])
      .where('order_hash', '=', order.order_hash)
      .where('block_hash', '=', order.block_hash)
      .executeTakeFirst()
    if (attested.numUpdatedRows === 0n) return
    const debits = transaction
      .updateTable('order_debits')
      .where('order_id', '=', order.order_id)
      .where('state', '=', 'RESERVED')
    const due = order.outcome === 'claimed' ? 'amount' : 'fail_fee'
    await debits
      .set((eb) => ({ state: 'DUE', due: eb.ref(due) }))
      .where(due, '>', 0n)
      .execute()
    await debits.set({ state: 'RELEASED', due: 0n }).where(due, '=', 0n).execute()
  })
}
