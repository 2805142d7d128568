import type { Database, OrderOperationRow, OrderRow } from '@lanyard/database'
import type { Kysely } from 'kysely'

/** One pass looks at this many orders of a network; the next pass goes on. */
const passSize = 200

/** An order that can still change, with the operations that the operator signed for it. */
export interface TrackedOrder {
  readonly order: OrderRow
  readonly operations: readonly OrderOperationRow[]
  /** Whether anything is owed: without debits an order is a sponsorship, of which SmartBalance keeps no record. */
  readonly hasDebits: boolean
}

/** The open orders of an output network in any of these states, the oldest first. */
export async function findTrackedOrders(
  database: Kysely<Database>,
  outputNetwork: number,
  states: readonly OrderRow['state'][],
): Promise<TrackedOrder[]> {
  const orders = await database
    .selectFrom('orders')
    .selectAll()
    .where('output_network', '=', outputNetwork)
    .where('closed_at', 'is', null)
    .where('state', 'in', states)
    .orderBy('reserved_at')
    .limit(passSize)
    .execute()
  if (orders.length === 0) return []
  const ids = orders.map(({ order_id }) => order_id)
  const [operations, debits] = await Promise.all([
    database.selectFrom('order_operations').selectAll().where('order_id', 'in', ids).execute(),
    database.selectFrom('order_debits').select('order_id').distinct().where('order_id', 'in', ids).execute(),
  ])
  const byOrder = Map.groupBy(operations, ({ order_id }) => order_id)
  const indebted = new Set(debits.map(({ order_id }) => order_id))
  return orders.map((order) => ({
    order,
    operations: byOrder.get(order.order_id) ?? [],
    hasDebits: indebted.has(order.order_id),
  }))
}
