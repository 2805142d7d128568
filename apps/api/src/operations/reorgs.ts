import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { BlockNotFoundError } from 'viem'

/**
 * Which included operations are in a block that the chain no longer has. A height that the chain does not reach any
 * more counts too: a node that comes back with an older state is a reorg like any other.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findReorged(network: Network, rows: readonly OperationRow[]): Promise<OperationRow[]> {
  const included = rows.filter(({ state }) => state === 'included')
  const heights = [...new Set(included.map(({ block_number }) => block_number ?? 0))]
  const canonical = new Map(
    await Promise.all(heights.map(async (height) => [height, await readBlockHash(network, height)] as const)),
  )
  return included.filter(({ block_number, block_hash }) => canonical.get(block_number ?? 0) !== block_hash)
}

async function readBlockHash(network: Network, height: number): Promise<string | null> {
  return network.call(async (client) => {
    try {
      const block = await client.getBlock({ blockNumber: BigInt(height) })
      return block.hash
    } catch (error) {
      if (error instanceof BlockNotFoundError) return null
      throw error
    }
  })
}
