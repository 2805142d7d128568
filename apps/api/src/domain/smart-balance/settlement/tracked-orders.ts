import type { Database, OrderOperationRow, OrderRow } from '@lanyard/database'
import type { AgreedBlock, Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import type { Address, Hash } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { createSweep, type Sweep } from '../../../platform/sweep.ts'
import { type Inclusion, readInclusions } from '../../operations/track/inclusion.ts'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'

/** Number of orders of a network that one pass checks; the next pass continues after them. */
export const trackPassSize = 200

/** The fields of an open order that a pass needs. */
export type OpenOrder = Pick<OrderRow, 'order_id' | 'reserved_at'>

/** Iterates over the open orders of an output network. */
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
  /**
   * Whether the order owes anything: without debits it is a sponsorship, and SmartBalance keeps no record of
   * its outcome.
   */
  readonly hasDebits: boolean
}

/** Finds the orders of a pass that are open and in any of these states, oldest first. */
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

/**
 * Finds the orders whose nonce EntryPoint has used at a block: for one of their operations, or for another
 * operation.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readUsedNonces(
  network: Network,
  orders: readonly TrackedOrder[],
  block: AgreedBlock,
): Promise<ReadonlySet<TrackedOrder>> {
  if (orders.length === 0) return new Set()
  const entryPoint = { address: network.config.entryPoint, abi: entryPoint07Abi } as const
  const [nonces] = await multicallAtBlock(network, block, [
    orders.map(
      ({ order }) => readOf(entryPoint, 'getNonce', [order.account as Address, order.nonce_key]), // the column holds 0x and 40 digits
    ),
  ])
  return new Set(
    orders.filter(({ order }, index) => BigInt.asUintN(64, nonces[index] ?? 0n) > order.nonce_sequence),
  )
}

/**
 * Inclusions of the operations of orders without debits, by operation hash, read from EntryPoint's events.
 * The rows of the operations may be updated later than the chain, or never if the owner sends the operation
 * through another service.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readOrderInclusions(
  database: Kysely<Database>,
  network: Network,
  orders: readonly TrackedOrder[],
): Promise<ReadonlyMap<string, Inclusion>> {
  const hashes = orders.flatMap(
    ({ operations }) => operations.map(({ user_op_hash }) => user_op_hash as Hash), // the column holds 0x and 64 digits
  )
  if (hashes.length === 0) return new Map()
  const { oldest } = await database
    .selectFrom('sponsorships')
    .select(({ fn }) => fn.min('built_at_block').as('oldest'))
    .where('user_op_hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  const inclusions = await readInclusions(network, { hashes, fromBlock: BigInt(oldest ?? 0) })
  return new Map(inclusions.map((inclusion) => [inclusion.userOpHash, inclusion]))
}
