import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { UserExport } from './user-export.ts'

/**
 * Adds the orders that are not here, each with all that belongs to it. Open ones are followed by the worker as its own;
 * of what this installation's settler has under way elsewhere nothing is known here, and a debit is taken once however
 * often it is tried.
 *
 * @returns how many were added
 */
export async function importOrders(
  transaction: Transaction<Database>,
  { orders, order_operations, order_debits, attestations }: UserExport,
): Promise<number> {
  let added = 0
  for (const order of orders) {
    const inserted = await transaction
      .insertInto('orders')
      .values(order)
      .onConflict((conflict) => conflict.column('order_id').doNothing())
      .returning('order_id')
      .executeTakeFirst()
    if (!inserted) continue
    added++
    const operations = order_operations.filter(({ order_id }) => order_id === order.order_id)
    const debits = order_debits.filter(({ order_id }) => order_id === order.order_id)
    const hashes = new Set(operations.map(({ order_hash }) => order_hash))
    const ofOrder = attestations.filter(({ order_hash }) => hashes.has(order_hash))
    if (operations.length > 0) await transaction.insertInto('order_operations').values(operations).execute()
    if (debits.length > 0) await transaction.insertInto('order_debits').values(debits).execute()
    if (ofOrder.length > 0) await transaction.insertInto('attestations').values(ofOrder).execute()
  }
  return added
}
