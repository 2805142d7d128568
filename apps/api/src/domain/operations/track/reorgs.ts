import type { OperationRow } from '@lanyard/database'
import { type Network, readBlockHash } from '@lanyard/networks'

/**
 * Finds the rows whose block the chain no longer has. A height above the current head counts too: a node that
 * returns with an older state is treated as a reorg. A node that has no block at a height below its head
 * contradicts itself, and its answer is ignored.
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
