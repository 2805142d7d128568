import type { Database, OrderOperationRow, OrderRow } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'

/** One pass looks at this many orders of a network; the next pass goes on after them. */
export const trackPassSize = 200

/** An open order, as a pass over them looks at it. */
export type OpenOrder = Pick<OrderRow, 'order_id' | 'reserved_at'>

/** Goes through the open orders of an output network. */
export const sweepOrders = (database: Kysely<Database>, outputNetwork: number): Sweep<OpenOrder> =>
  createSweep(trackPassSize, (after, size) => {
    const open = database
      .selectFrom('orders')
      .select(['order_id', 'reserved_at'])
      .where('output_network', '=', outputNetwork)
      .where('closed_at', 'is', null)
      .orderBy('reserved_at')
      .orderBy('order_id')
      .limit(size)
    if (!after) return open.execute()
    return open
      .where(sql<boolean>`(reserved_at, order_id) > (${after.reserved_at}, ${after.order_id})`)
      .execute()
  })

/** An order that can still change, with the operations that the operator signed for it. */
export interface TrackedOrder {
  readonly order: OrderRow
  readonly operations: readonly OrderOperationRow[]
  /** Whether anything is owed: without debits an order is a sponsorship, of which SmartBalance keeps no record. */
  readonly hasDebits: boolean
}

/** Those of a pass's orders that are open and in any of these states, the oldest first. */
export async function findTrackedOrders(
  database: Kysely<Database>,
  pass: readonly OpenOrder[],
  states: readonly OrderRow['state'][],
): Promise<TrackedOrder[]> {
  if (pass.length === 0) return []
  const orders = await database
    .selectFrom('orders')
    .selectAll()
    .where(
      'order_id',
      'in',
      pass.map(({ order_id }) => order_id),
    )
    .where('closed_at', 'is', null)
    .where('state', 'in', states)
    .orderBy('reserved_at')
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
