import type { Database } from '@lanyard/database'
import type { AgreedBlock, Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address, Hash } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { type Inclusion, readInclusions } from '../../operations/track/inclusion.ts'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import type { TrackedOrder } from './tracked-orders.ts'

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
