import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database, OrderDebitRow, OrderRow } from '../schema.ts'
import { type OrderOutcome, outcomeColumns, stateOfOutcome } from './record-outcome.ts'

const withoutOutcome = {
  state: 'SUBMITTED',
  outcome: null,
  txn_hash: null,
  block_number: null,
  block_hash: null,
} as const

/** `CLAIMED | FAILED → SUBMITTED` when a reorg removed the block that the row names. */
export async function returnReorgedOrder(database: Kysely<Database>, order: OrderRow): Promise<void> {
  await database
    .updateTable('orders')
    .set(withoutOutcome)
    .where('order_id', '=', order.order_id)
    .where('state', '=', order.state)
    .where('state', 'in', ['CLAIMED', 'FAILED'])
    .where('block_hash', '=', order.block_hash)
    .execute()
}

/** Updates an order only if the row is unchanged since it was read. */
const updateAsRead = (database: Kysely<Database>, order: OrderRow) =>
  database
    .updateTable('orders')
    .where('order_id', '=', order.order_id)
    .where('state', '=', order.state)
    .where('outcome', 'is not distinct from', order.outcome)
    .where('txn_hash', 'is not distinct from', order.txn_hash)
    .where('closed_at', order.closed_at === null ? 'is' : 'is not', null)

interface RepairedOutcome {
  readonly outcome: OrderOutcome
  readonly userOpHash: string
  /** The state is kept, since only other values differ. */
  readonly stateFits: boolean
}

/**
 * Writes the outcome in a final block over any state of the row. An order in a wrong state is reopened with its released
 * debits: attestors, settler and worker then continue from there.
 *
 * @returns whether the row was unchanged since it was read
 */
export const repairOrderOutcome = (
  database: Kysely<Database>,
  order: OrderRow,
  { outcome, userOpHash, stateFits }: RepairedOutcome,
): Promise<boolean> =>
  inTransaction(database, async (transaction) => {
    const { numUpdatedRows } = await updateAsRead(transaction, order)
      .set({
        ...outcomeColumns(outcome),
        user_op_hash: userOpHash,
        ...(!stateFits && { state: stateOfOutcome(outcome.outcome), closed_at: null }),
      })
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (stateFits) return true
    await transaction
      .updateTable('order_debits')
      .set({ state: 'RESERVED' })
      .where('order_id', '=', order.order_id)
      .where('state', '=', 'RELEASED')
      .execute()
    return true
  })

/**
 * Resets an order as after a reorg.
 *
 * @returns as {@link repairOrderOutcome}
 */
export async function repairMissingOrderOutcome(
  database: Kysely<Database>,
  order: OrderRow,
): Promise<boolean> {
  const { numUpdatedRows } = await updateAsRead(database, order)
    .set({ ...withoutOutcome, closed_at: null })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type ReadDebit = Pick<OrderDebitRow, 'order_id' | 'network' | 'state' | 'settled_amount'>

/**
 * Writes what the chain shows of a debit. A closed order is reopened if the debit is still due. The caller holds the account's
 * lock, since the debit holds or releases a deposit.
 *
 * @returns as {@link repairOrderOutcome}
 */
export async function repairDebit(
  transaction: Transaction<Database>,
  debit: ReadDebit,
  expected: Partial<Pick<OrderDebitRow, 'state' | 'due' | 'settled_amount' | 'closed_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('order_debits')
    .set(expected)
    .where('order_id', '=', debit.order_id)
    .where('network', '=', debit.network)
    .where('state', '=', debit.state)
    .where('settled_amount', '=', debit.settled_amount)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (expected.state !== 'DUE') return true
  await transaction
    .updateTable('orders')
    .set({ state: 'ATTESTED', closed_at: null })
    .where('order_id', '=', debit.order_id)
    .where('state', '=', 'SETTLED')
    .execute()
  return true
}
