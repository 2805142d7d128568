import { type Kysely, sql } from 'kysely'
import type { Database } from '../schema.ts'

/**
 * Deletes orders that their owner never submitted, once none of the service's signatures for them can be
 * used: a final block is past their operations, if the operator signed any (`EXPIRED`), and past their
 * co-signature.
 *
 * @returns the number deleted, at most `limit`
 */
export async function deleteOrders(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with gone as (
      select order_id from orders
      where user_op_hash is null and withdrawal_state in ('none', 'lapsed')
        and (
          state = 'EXPIRED' and closed_at <= ${before}
          or state = 'RESERVED' and expires_at <= ${before}
            and not exists (select from order_operations where order_operations.order_id = orders.order_id)
        )
        and not exists (
          select from order_operations join attestations using (order_hash)
          where order_operations.order_id = orders.order_id
        )
        and not exists (select from settlement_debits where settlement_debits.order_id = orders.order_id)
      order by reserved_at
      limit ${limit}
      for update skip locked
    ), operations_gone as (
      delete from order_operations where order_id in (select order_id from gone)
    ), debits_gone as (
      delete from order_debits where order_id in (select order_id from gone)
    )
    delete from orders where order_id in (select order_id from gone)
  `.execute(database)
  return Number(numAffectedRows ?? 0)
}
