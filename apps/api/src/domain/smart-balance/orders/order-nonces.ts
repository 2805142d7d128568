import type { Database } from '@lanyard/database'
import { isOrderHeld, isOrderNonceUsed } from '@lanyard/database'
import { expressionBuilder, sql } from 'kysely'
import type { NonceHolder } from '../../operations/operation-features.ts'

/** The lanes of open orders: a solution names its nonce before an operation is built with it. */
export const orderNonces: NonceHolder = ({ account, network, now }) => {
  const eb = expressionBuilder<Database, 'orders'>()
  // Workers record the order's outcome later, but its nonce is already used.
  return sql`select nonce_key from orders
    where account = ${account} and output_network = ${network} and state in ('RESERVED', 'SUBMITTED')
      and ${isOrderHeld(now)(eb)} and not ${isOrderNonceUsed(eb)}`
}
