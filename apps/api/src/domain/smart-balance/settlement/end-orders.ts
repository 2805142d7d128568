import {
  closeOrders,
  type Database,
  expireOrder,
  type OperationRow,
  returnReorgedOrder,
} from '@lanyard/database'
import { type Network, readBlockHash } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Hash } from 'viem'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'
import { placeOf, readOutcomes } from './read-outcomes.ts'
import type { OpenOrder, TrackedOrder } from './tracked-orders.ts'
import { findTrackedOrders, readOrderInclusions, readUsedNonces } from './tracked-orders.ts'

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

/**
 * `ATTESTED → SETTLED` when every debit has ended. Also closes orders without debits once their block is
 * final.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function closeEndedOrders(
  dependencies: SettlementDependencies,
  on: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  await closeSettled(dependencies, on)
  await closeSponsored(dependencies, on, pass)
}

async function closeSettled(
  { database, now, checkpoint }: SettlementDependencies,
  { network }: BalanceNetwork,
): Promise<void> {
  const ended = await database
    .selectFrom('orders')
    .select('order_id')
    .where('output_network', '=', network.chainId)
    .where('state', '=', 'ATTESTED')
    .where('closed_at', 'is', null)
    .where(
      sql<boolean>`not exists (select from order_debits debit where debit.order_id = orders.order_id
        and debit.state in ('RESERVED', 'DUE', 'PARTIAL') and debit.closed_at is null)`,
    )
    .execute()
  if (ended.length === 0) return
  const orderIds = ended.map(({ order_id }) => order_id)
  await database
    .transaction()
    .execute((trx) => closeOrders(trx, { orderIds, from: ['ATTESTED'], to: 'SETTLED', now: now() }))
  await checkpoint('tracking:closed')
}

/** An order without debits is settled by its own inclusion. A failed one stays FAILED. */
async function closeSponsored(
  { database, now }: SettlementDependencies,
  { network }: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const tracked = await findTrackedOrders(database, pass, ['CLAIMED', 'FAILED'])
  const sponsored = tracked.filter(({ hasDebits }) => !hasDebits)
  if (sponsored.length === 0) return
  const { number: final } = await network.quorum.final()
  for (const { order } of sponsored) {
    if (BigInt(order.block_number ?? 0) > final) continue
    const to = order.state === 'CLAIMED' ? 'SETTLED' : 'FAILED'
    await database
      .transaction()
      .execute((trx) => closeOrders(trx, { orderIds: [order.order_id], from: [order.state], to, now: now() }))
  }
}

/**
 * `CLAIMED | FAILED → SUBMITTED` when a reorg removed the block. The operation service sends the identical
 * operation again. Attested orders are never affected: their block was final.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function returnReorged(
  { database, log }: SettlementDependencies,
  { network }: BalanceNetwork,
  pass: readonly OpenOrder[],
): Promise<void> {
  const tracked = await findTrackedOrders(database, pass, ['CLAIMED', 'FAILED'])
  const reorged = await filterReorged(
    network,
    tracked.map(({ order }) => order),
  )
  for (const order of reorged) {
    log.warn({ orderId: order.order_id, network: network.chainId }, "a reorg removed an order's operation")
    await returnReorgedOrder(database, order)
  }
}

/**
 * Finds the rows whose block the chain no longer has. A height above the current head counts too: a node that
 * returns with an older state is treated as a reorg. A node that has no block at a height below its head
 * contradicts itself, and its answer is ignored.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function filterReorged<T extends Pick<OperationRow, 'block_number' | 'block_hash'>>(
  network: Network,
  rows: readonly T[],
): Promise<T[]> {
  const heights = [...new Set(rows.map(({ block_number }) => block_number ?? 0))]
  const canonical = new Map(
    await Promise.all(heights.map(async (height) => [height, await readBlockHash(network, height)] as const)),
  )
  return rows.filter(({ block_number, block_hash }) => canonical.get(block_number ?? 0) !== block_hash)
}
