import {
  type Database,
  isOrderHeld,
  isOrderNonceUsed,
  isOrderSigned,
  type OrderRow,
  openDebitStates,
} from '@lanyard/database'
import type { Kysely } from 'kysely'

/** The fields of an order that hold deposits. */
export interface Holding
  extends Pick<
    OrderRow,
    'order_id' | 'output_network' | 'nonce_key' | 'nonce_sequence' | 'state' | 'expires_at'
  > {
  /** The operator has signed an operation for it: only the expiry on chain releases it. */
  readonly signed: boolean
  /** False when only its co-signature still holds an amount. */
  readonly held: boolean
  /**
   * An operation with its nonce, of this order or another, is included: it can be included itself only after
   * a reorg.
   */
  readonly nonceUsed: boolean
  /** The amount that the co-signature can take on the output network; 0 without an open one. 6 decimals. */
  readonly cosigned: bigint
  /** The amounts that the order may still take, by network. 6 decimals. */
  readonly debits: readonly { readonly network: number; readonly amount: bigint }[]
}

/** The orders of an account that hold amounts. */
export async function findHoldings(
  connection: Kysely<Database>,
  account: string,
  now: Date,
): Promise<Holding[]> {
  const orders = await connection
    .selectFrom('orders')
    .selectAll()
    .select((eb) => [
      isOrderSigned(eb).as('signed'),
      isOrderHeld(now)(eb).as('held'),
      isOrderNonceUsed(eb).as('nonceUsed'),
    ])
    .where('account', '=', account)
    .where((eb) => eb.or([isOrderHeld(now)(eb), eb('withdrawal_state', '=', 'open')]))
    .orderBy('reserved_at')
    .execute()
  const held = orders.filter(({ held }) => held).map(({ order_id }) => order_id)
  const debits = held.length === 0 ? [] : await findDebits(connection, held)
  return orders.map((order) => ({
    ...order,
    signed: Boolean(order.signed),
    held: Boolean(order.held),
    nonceUsed: Boolean(order.nonceUsed),
    cosigned: order.withdrawal_state === 'open' ? order.withdrawal_amount + order.withdrawal_fee : 0n,
    debits: debits
      .filter(({ order_id }) => order_id === order.order_id)
      .map(({ network, amount, due, settled_amount }) => ({
        network,
        amount: (due ?? amount) - settled_amount,
      })),
  }))
}

const findDebits = (connection: Kysely<Database>, orderIds: readonly string[]) =>
  connection
    .selectFrom('order_debits')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .where('state', 'in', openDebitStates)
    .execute()
