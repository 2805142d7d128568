import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import type { Network } from './network.ts'

/** Both included. */
export interface BlockRange {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

export interface WalkOptions {
  /** Begin with the newest blocks: a search ends when its caller stops. */
  readonly newestFirst?: boolean
  /** Most blocks of one request. Default 2,000, which is what the strictest of the common providers take. */
  readonly maxWidth?: bigint | undefined
}

const defaultWidth = 2_000n

/** A range that is refused is halved so many times in a row before the network's refusal counts. */
const maxHalvings = 6

/** So many ranges are taken before wider ones are tried: a provider with a fixed bound refuses few. */
const takenBeforeGrowth = 2

const isRefusal = (error: unknown) =>
  error instanceof LanyardError && (error.code === 'NETWORK_FAILED' || error.code === 'NETWORK_UNAVAILABLE')

/**
 * Reads blocks in ranges; everything that reads logs reads them through this. A range that the provider refuses (too
 * wide, too many results, too slow) is halved; after a few that it takes, ranges grow again.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED when it refuses short ones too
 */
export async function* walkBlocks<T>(
  network: Pick<Network, 'call'>,
  { fromBlock, toBlock }: BlockRange,
  read: (client: PublicClient, range: BlockRange) => Promise<T>,
  { newestFirst = false, maxWidth = defaultWidth }: WalkOptions = {},
): AsyncGenerator<BlockRange & { readonly result: T }> {
  let width = maxWidth
  let refused = 0
  let taken = 0
  let left: BlockRange = { fromBlock, toBlock }
  while (left.fromBlock <= left.toBlock) {
    const range = newestFirst
      ? { fromBlock: greater(left.toBlock - width + 1n, left.fromBlock), toBlock: left.toBlock }
      : { fromBlock: left.fromBlock, toBlock: lesser(left.fromBlock + width - 1n, left.toBlock) }
    try {
      const result = await network.call((client) => read(client, range))
      refused = 0
      if (++taken % takenBeforeGrowth === 0) width = lesser(width * 2n, maxWidth)
      left = newestFirst
        ? { ...left, toBlock: range.fromBlock - 1n }
        : { ...left, fromBlock: range.toBlock + 1n }
      yield { ...range, result }
    } catch (error) {
      if (!isRefusal(error) || range.toBlock === range.fromBlock || ++refused > maxHalvings) throw error
      taken = 0
      width = (range.toBlock - range.fromBlock + 1n) / 2n
    }
  }
}

/** A reorg may put an operation into an earlier block than the head was when it was signed. */
const deepestReorg = 64n

/** A search through more blocks than these follows a head that no chain reaches. */
const maxBlocks = 20_000_000n

/**
 * Reads back from the head to the block that was the head at some earlier time, a reorg's depth before it. The chain may
 * have fewer blocks now than it had then.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, also when the head is absurdly far away
 */
export async function* walkBack<T>(
  network: Pick<Network, 'call' | 'config'>,
  since: bigint,
  read: (client: PublicClient, range: BlockRange) => Promise<T>,
): AsyncGenerator<BlockRange & { readonly result: T }> {
  const toBlock = await network.call((client) => client.getBlockNumber())
  const fromBlock = greater(lesser(since, toBlock) - deepestReorg, 0n)
  if (toBlock - fromBlock > maxBlocks) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${network.config.name} says that its head is block ${toBlock}, ${toBlock - fromBlock} blocks after it was seen last.`,
    })
  }
  yield* walkBlocks(network, { fromBlock, toBlock }, read, { newestFirst: true })
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)
