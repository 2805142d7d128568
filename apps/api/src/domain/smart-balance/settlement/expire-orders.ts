import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address, Hash } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { closeOrder } from './close-order.ts'
import type { SettlementDependencies } from './dependencies.ts'
import type { BalanceNetwork } from './networks.ts'
import { placeOf, readOutcomes } from './read-outcomes.ts'
import { findTrackedOrders, type OpenOrder, type TrackedOrder } from './tracked-orders.ts'

/**
 * `RESERVED | SUBMITTED → EXPIRED`, once nothing that the operator signed for an order can be included any more: a
 * final block is past the last validUntil, or shows the nonce used by something else, and SmartBalance has no outcome
 * there that owes anything: an order that cap or liquidity made fail (Unfunded) ends so, too, and releases all that it
 * held. A reservation for which nothing was signed just runs out.
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
  for (const unsigned of tracked.filter(({ operations }) => operations.length === 0)) {
    if (unsigned.order.expires_at <= now()) await expire(database, unsigned, now())
  }
  const signed = tracked.filter(({ operations }) => operations.length > 0)
  for (const expired of await findExpired(database, on, signed)) await expire(database, expired, now())
}

async function findExpired(
  database: Kysely<Database>,
  on: BalanceNetwork,
  orders: readonly TrackedOrder[],
): Promise<TrackedOrder[]> {
  if (orders.length === 0) return []
  const { network } = on
  const blockNumber = await network.finalizedBlock()
  const places = orders.flatMap(({ order, operations }) =>
    operations.map(({ order_hash }) => placeOf(order, order_hash)),
  )
  const [block, outcomes, used, included] = await Promise.all([
    network.call((client) => client.getBlock({ blockNumber })),
    readOutcomes(on, places, { blockNumber }),
    readUsedNonces(network, orders, blockNumber),
    findIncluded(database, orders),
  ])
  return orders.filter((tracked) => {
    const { operations, hasDebits } = tracked
    if (operations.some(({ order_hash }) => outcomes.has(order_hash as Hash))) return false
    // Without debits there is no record of the outcome; its own inclusion uses the nonce.
    if (!hasDebits && operations.some(({ user_op_hash }) => included.has(user_op_hash))) return false
    const lastSecond = Math.max(...operations.map(({ valid_until }) => valid_until))
    return used.has(tracked) || BigInt(lastSecond) < block.timestamp
  })
}

async function readUsedNonces(
  network: Network,
  orders: readonly TrackedOrder[],
  blockNumber: bigint,
): Promise<ReadonlySet<TrackedOrder>> {
  const nonces = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      batchSize: 0, // one request for all of them
      blockNumber,
      contracts: orders.map(
        ({ order }) =>
          ({
            address: network.config.entryPoint,
            abi: entryPoint07Abi,
            functionName: 'getNonce',
            args: [order.account as Address, order.nonce_key], // the column holds 0x and 40 digits
          }) as const,
      ),
    }),
  )
  return new Set(
    orders.filter(({ order }, index) => BigInt.asUintN(64, nonces[index] ?? 0n) > order.nonce_sequence),
  )
}

async function findIncluded(
  database: Kysely<Database>,
  orders: readonly TrackedOrder[],
): Promise<ReadonlySet<string>> {
  const hashes = orders.flatMap(({ operations }) => operations.map(({ user_op_hash }) => user_op_hash))
  const rows = await database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('user_op_hash', 'in', hashes)
    .where('state', '=', 'included')
    .execute()
  return new Set(rows.map(({ user_op_hash }) => user_op_hash))
}

/** The operator may have signed another operation for it meanwhile: then it lives on. */
async function expire(
  database: Kysely<Database>,
  { order, operations }: TrackedOrder,
  now: Date,
): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await trx
      .selectFrom('orders')
      .select('order_id')
      .where('order_id', '=', order.order_id)
      .forUpdate()
      .execute()
    const signed = await trx
      .selectFrom('order_operations')
      .select('order_hash')
      .where('order_id', '=', order.order_id)
      .execute()
    if (signed.length !== operations.length) return
    await closeOrder(trx, {
      orderId: order.order_id,
      from: ['RESERVED', 'SUBMITTED'],
      to: 'EXPIRED',
      now,
    })
  })
}
