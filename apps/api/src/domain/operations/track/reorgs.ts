import type { OperationRow } from '@lanyard/database'
import { type Network, readBlockHash } from '@lanyard/networks'

/**
 * Which rows are in a block that the chain no longer has. A height that the chain does not reach any more counts
 * too: a node that comes back with an older state is a reorg like any other. One that has no block at a height below its
 * head contradicts itself, and its answer does not count.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function filterReorged<T extends Pick<OperationRow, 'block_number' | 'block_hash'>>(
  network: Network,
  rows: readonly T[],
): Promise<T[]> {
  const heights = [...new Set(rows.map(({ block_number }) => block_number ?? 0))]
  const canonical = new Map(
    await Promise.all(heights.map(async (height) => [height, await readBlockHash(network, height)] as const)),
  )
  return rows.filter(({ block_number, block_hash }) => canonical.get(block_number ?? 0) !== block_hash)
}
