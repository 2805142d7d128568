import type { Transaction } from 'kysely'
import type { Database, NewOrderDebitRow, NewOrderRow, OrderDebitRow, OrderRow } from '../schema.ts'

/** An order and its debits, ascending by network. */
export interface OrderWithDebits {
  readonly order: OrderRow
  readonly debits: readonly OrderDebitRow[]
}

type NewDebit = Pick<NewOrderDebitRow, 'network' | 'amount' | 'fail_fee'>

/** `→ RESERVED`. The caller holds the locks of the account and of the output network. */
export async function reserveOrderRow(
  transaction: Transaction<Database>,
  row: Omit<NewOrderRow, 'state' | 'withdrawal_state'>,
  debits: readonly NewDebit[],
): Promise<OrderWithDebits> {
  const order = await transaction
    .insertInto('orders')
    // A withdrawal is co-signed later, by `recordCosignature`.
    .values({ ...row, state: 'RESERVED', withdrawal_state: 'none' })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (debits.length === 0) return { order, debits: [] }
  const { order_id } = order
  const rows = await transaction
    .insertInto('order_debits')
    .values(debits.map((debit) => ({ ...debit, order_id, state: 'RESERVED' as const })))
    .returningAll()
    .execute()
  return { order, debits: rows.toSorted((a, b) => a.network - b.network) }
}
