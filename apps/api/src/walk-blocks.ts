import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { PublicClient } from 'viem'

/** Both included. */
export interface BlockRange {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

/** Providers bound the range of eth_getLogs; 2,000 blocks is what the strictest of the common ones take. */
const longestRange = 2_000n

/** A range that is refused is halved so many times in a row before the network's answer is believed. */
const mostHalvings = 6

const isRefusal = (error: unknown) =>
  error instanceof LanyardError && (error.code === 'NETWORK_FAILED' || error.code === 'NETWORK_UNAVAILABLE')

/**
 * Reads blocks in ranges, upwards. A range that the provider refuses (too wide, too many results, too slow) is
 * halved; after a few that it takes, ranges grow again.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED when it refuses short ones too
 */
export async function* walkBlocks<T>(
  network: Network,
  { fromBlock, toBlock }: BlockRange,
  read: (client: PublicClient, range: BlockRange) => Promise<T>,
  widest: bigint = longestRange,
): AsyncGenerator<BlockRange & { readonly result: T }> {
  let width = widest
  let refused = 0
  for (let from = fromBlock; from <= toBlock; ) {
    const to = from + width - 1n < toBlock ? from + width - 1n : toBlock
    const range = { fromBlock: from, toBlock: to }
    try {
      const result = await network.call((client) => read(client, range))
      refused = 0
      width = width * 2n < widest ? width * 2n : widest
      from = to + 1n
      yield { ...range, result }
    } catch (error) {
      if (!isRefusal(error) || to === from || ++refused > mostHalvings) throw error
      width = (to - from + 1n) / 2n
    }
  }
}
