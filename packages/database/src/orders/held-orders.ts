import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

type Orders = ExpressionBuilder<Database, 'orders'>

/** Whether the operator has signed an operation for an order. */
export const isOrderSigned = (eb: Orders) =>
  eb.exists(
    eb
      .selectFrom('order_operations')
      .select('order_operations.order_hash')
      .whereRef('order_operations.order_id', '=', 'orders.order_id'),
  )

/** Whether an operation with the order's nonce, or a later one on the same lane, is included. */
export const isOrderNonceUsed = (eb: Orders) =>
  eb.exists(
    eb
      .selectFrom('operations')
      .select('operations.user_op_hash')
      .whereRef('operations.account', '=', 'orders.account')
      .whereRef('operations.network', '=', 'orders.output_network')
      .whereRef('operations.nonce_key', '=', 'orders.nonce_key')
      .whereRef('operations.nonce_sequence', '>=', 'orders.nonce_sequence')
      .where('operations.state', '=', sql.lit('included')),
  )

/**
 * Whether an order still reserves its funds. A reservation that was not built in time does not: it releases
 * itself.
 */
export const isOrderHeld = (now: Date) => (eb: Orders) =>
  eb.and([
    eb('orders.closed_at', 'is', null),
    eb('orders.state', '<>', 'EXPIRED'),
    eb.or([eb('orders.state', '<>', 'RESERVED'), eb('orders.expires_at', '>', now), isOrderSigned(eb)]),
  ])
