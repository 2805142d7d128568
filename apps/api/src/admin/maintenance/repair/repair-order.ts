import type { Database, OrderRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { Difference } from './difference.ts'
import type { OutcomeLog } from './read-events.ts'

type Repair = NonNullable<Difference['repair']>

/** An order and its operation that the chain includes. */
export interface SignedOrder {
  readonly order: OrderRow
  readonly orderHash: Hash
  readonly userOpHash: string
}

function updateAsRead(database: Kysely<Database> | Transaction<Database>, order: OrderRow) {
  return database
    .updateTable('orders')
    .where('order_id', '=', order.order_id)
    .where('state', '=', order.state)
    .where('outcome', 'is not distinct from', order.outcome)
    .where('txn_hash', 'is not distinct from', order.txn_hash)
    .where('closed_at', order.closed_at === null ? 'is' : 'is not', null)
}

/**
 * Writes the outcome of an order. An order in a wrong state is reopened with its released debits: attestors,
 * settler and worker then continue from there.
 *
 * @param stateFits - the state is kept, since only other values differ
 */
export function repairOutcome(
  { order, userOpHash }: SignedOrder,
  event: OutcomeLog,
  stateFits: boolean,
): Repair {
  return (database) =>
    database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await updateAsRead(transaction, order)
        .set({
          outcome: event.outcome,
          order_hash: event.orderHash,
          user_op_hash: userOpHash,
          txn_hash: event.txnHash,
          block_number: Number(event.blockNumber),
          block_hash: event.blockHash,
          ...(!stateFits && {
            state: event.outcome === 'claimed' ? ('CLAIMED' as const) : ('FAILED' as const),
            closed_at: null,
          }),
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
}

/**
 * Resets the order as after a reorg. Absent for an order that attestors have signed: their attestations
 * contradict the chain.
 */
export function repairMissingOutcome(order: OrderRow): Repair | undefined {
  if (order.state !== 'CLAIMED' && order.state !== 'FAILED') return undefined
  return async (database) => {
    const { numUpdatedRows } = await updateAsRead(database, order)
      .set({
        state: 'SUBMITTED',
        outcome: null,
        txn_hash: null,
        block_number: null,
        block_hash: null,
        closed_at: null,
      })
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}
