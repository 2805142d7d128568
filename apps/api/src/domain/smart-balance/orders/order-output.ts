import type { EndpointResult, endpoints } from '@lanyard/contracts'
import {
  type Database,
  isOrderHeld,
  type OrderDebitRow,
  type OrderRow,
  olderThan,
  type PageEnd,
} from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'

type OrderAnswer = EndpointResult<typeof endpoints.smartBalance.order>

interface ListedOrder extends OrderRow {
  readonly held: boolean
  readonly debits: readonly OrderDebitRow[]
}

/** An order in the form that callers receive. */
export function toOrderAnswer(order: ListedOrder): OrderAnswer {
  // A reservation that was not built in time has ended, even if no transaction has recorded it yet.
  const lapsed = order.state === 'RESERVED' && !order.held
  return {
    orderId: order.order_id as Hex, // the columns hold hex
    state: lapsed ? 'EXPIRED' : order.state,
    outputNetwork: order.output_network,
    amount: String(order.amount),
    fee: String(order.fee),
    total: String(order.total),
    ...(order.txn_hash !== null && { txnHash: order.txn_hash as Hex }),
    debits: order.debits.map((debit) => ({
      network: debit.network,
      amount: String(debit.amount),
      state: lapsed ? 'RELEASED' : debit.state,
      ...(debit.txn_hash !== null && { txnHash: debit.txn_hash as Hex }),
    })),
    expiresAt: order.expires_at.toISOString(),
  }
}

/** Finds the order with an id and its debits, ascending by network. */
export async function findListedOrder(
  database: Kysely<Database>,
  orderId: string,
  now: Date,
): Promise<ListedOrder | undefined> {
  const rows = await selectOrders(database, now).where('order_id', '=', orderId).execute()
  const [order] = await withDebits(database, rows)
  return order
}

/** Maximum number of orders in one answer. */
const pageSize = 50

/** Lists the submitted orders of an account, newest first. */
export async function listOrders(
  database: Kysely<Database>,
  { account, end, now }: { readonly account: string; readonly end?: PageEnd | undefined; readonly now: Date },
): Promise<ListedOrder[]> {
  let query = selectOrders(database, now)
    .where('account', '=', account)
    .where('user_op_hash', 'is not', null)
    .orderBy('reserved_at', 'desc')
    .orderBy('order_id', 'desc')
    .limit(pageSize)
  if (end) query = query.where(olderThan({ time: 'reserved_at', id: 'order_id' }, end))
  return withDebits(database, await query.execute())
}

const selectOrders = (database: Kysely<Database>, now: Date) =>
  database
    .selectFrom('orders')
    .selectAll()
    .select((eb) => isOrderHeld(now)(eb).as('held'))

async function withDebits(
  database: Kysely<Database>,
  orders: readonly (OrderRow & { readonly held: unknown })[],
): Promise<ListedOrder[]> {
  if (orders.length === 0) return []
  const debits = await database
    .selectFrom('order_debits')
    .selectAll()
    .where(
      'order_id',
      'in',
      orders.map(({ order_id }) => order_id),
    )
    .orderBy('network')
    .execute()
  return orders.map((order) => ({
    ...order,
    held: Boolean(order.held),
    debits: debits.filter(({ order_id }) => order_id === order.order_id),
  }))
}
