import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Hash } from 'viem'
import { type Inclusion, readInclusions } from '../../operations/track/inclusion.ts'
import type { TrackedOrder } from './tracked-orders.ts'

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
