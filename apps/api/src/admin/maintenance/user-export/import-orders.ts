import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { UserExport } from './user-export.ts'

/**
 * Imports the missing orders, each with all rows that belong to it. The worker tracks open orders like its
 * own. Pending transactions of the other installation's settler are unknown here, but a debit is settled only
 * once, however often it is tried.
 *
 * @returns the number of imported orders
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
