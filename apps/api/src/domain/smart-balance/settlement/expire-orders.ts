import { type Database, expireOrder } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { readOrderInclusions } from './read-order-inclusions.ts'
import { placeOf, readOutcomes } from './read-outcomes.ts'
import { readUsedNonces } from './read-used-nonces.ts'
import { findTrackedOrders, type OpenOrder, type TrackedOrder } from './tracked-orders.ts'

/**
 * `RESERVED | SUBMITTED → EXPIRED`, once no operation that the operator signed for an order can be included
 * any more. A final block is past the last validUntil, or shows that another operation used the nonce, and
 * SmartBalance has no outcome there that owes anything. An order that failed because of cap or liquidity
 * (Unfunded) also ends this way and releases everything that it held. A reservation without a signed
 * operation simply expires.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function expireOrders(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const { database, now } = dependencies
  const tracked = await findTrackedOrders(database, pass, ['RESERVED', 'SUBMITTED'])
  const unsigned = tracked.filter(({ operations }) => operations.length === 0)
  const late = unsigned.filter(({ order }) => order.expires_at <= now())
  const signed = tracked.filter(({ operations }) => operations.length > 0)
  for (const { order, operations } of [...late, ...(await findExpired(database, on, signed))]) {
    const expiry = { orderId: order.order_id, signed: operations.length, now: now() }
    await database.transaction().execute((transaction) => expireOrder(transaction, expiry))
  }
}

async function findExpired(
  database: Kysely<Database>,
  on: BalanceNetwork,
  orders: readonly TrackedOrder[],
): Promise<TrackedOrder[]> {
  if (orders.length === 0) return []
  const { network } = on
  const block = await network.quorum.final()
  const places = orders.flatMap(({ order, operations }) =>
    operations.map(({ order_hash }) => placeOf(order, order_hash)),
  )
  const [outcomes, used] = await Promise.all([
    readOutcomes(on, places, block),
    readUsedNonces(network, orders, block),
  ])
  const ended = orders.filter((tracked) => {
    const { operations } = tracked
    if (operations.some(({ order_hash }) => outcomes.has(order_hash as Hash))) return false
    const lastSecond = Math.max(...operations.map(({ valid_until }) => valid_until))
    return used.has(tracked) || lastSecond < block.timestamp
  })
  // For an order without debits, SmartBalance records no outcome; its own inclusion uses the nonce.
  const sponsored = ended.filter(({ hasDebits }) => !hasDebits)
  const included = await readOrderInclusions(database, network, sponsored)
  return ended.filter(
    ({ hasDebits, operations }) =>
      hasDebits || operations.every(({ user_op_hash }) => !included.has(user_op_hash)),
  )
}
