import { LanyardError } from '@lanyard/contracts'
import { type PublicClient, parseAbi } from 'viem'
import type { NetworkConfig } from './config.ts'
import { isNoSuchContract } from './no-such-contract.ts'

/** A price feed on a network, and how old its answer may be. */
export type PriceFeed = NetworkConfig['priceFeeds'][string]

/** Chainlink's AggregatorV3Interface. */
const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

/** A usable answer of a feed: positive, and not too old. */
export interface FeedAnswer {
  /** The price times 10^`decimals`. */
  readonly answer: bigint
  readonly decimals: number
  /** Seconds since 1970. */
  readonly updatedAt: number
}

interface Reading {
  /** What the feed prices, for errors: `Base: the price of its native coin`. */
  readonly what: string
  /** The clock, milliseconds. The chain's own clock is not used. */
  readonly now: () => number
  /** Absent: the newest. */
  readonly blockNumber?: bigint | undefined
}

/**
 * Reads a Chainlink feed.
 *
 * @throws LanyardError `NETWORK_FAILED` if its answer is missing, not positive, or older than `maximumAge`
 */
export async function readPriceFeed(
  client: PublicClient,
  { feed, maximumAge }: PriceFeed,
  { what, now, blockNumber }: Reading,
): Promise<FeedAnswer> {
  const rejected = (why: string, cause?: unknown) =>
    new LanyardError('NETWORK_FAILED', { message: `${what} cannot be used: ${why}.`, cause })
  const at = blockNumber === undefined ? {} : { blockNumber }
  const contract = { address: feed, abi: aggregatorAbi, ...at } as const
  const [[, answer, , updatedAt], decimals] = await Promise.all([
    client.readContract({ ...contract, functionName: 'latestRoundData' }),
    client.readContract({ ...contract, functionName: 'decimals' }),
  ]).catch((error) => {
    throw isNoSuchContract(error)
      ? rejected('there is no price feed at the configured address', error)
      : error
  })
  if (answer <= 0n) throw rejected('the feed does not return a positive price')
  const age = Math.floor(now() / 1000) - Number(updatedAt)
  if (age > maximumAge) throw rejected(`it is ${age} seconds old, and at most ${maximumAge} is allowed`)
  return { answer, decimals, updatedAt: Number(updatedAt) }
}
