import { LanyardError } from '@lanyard/contracts'
import { type Address, type PublicClient, parseAbi } from 'viem'
import type { NetworkConfig } from './config.ts'
import { isNoSuchContract } from './no-such-contract.ts'

/** How long a price is cached, milliseconds. Feeds change every few minutes at most. */
export const nativePriceLifetime = 15_000

/** Chainlink's AggregatorV3Interface. */
const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

/**
 * The price of 1 ether of the native coin in 6-decimal units of the settlement token. It is rounded up,
 * because it prices gas that the operator pays.
 *
 * @param now - the clock, milliseconds; determines whether a feed's price is too old.
 * @param blockNumber - the block of a feed's price; absent: the newest
 * @throws LanyardError `NO_SMART_BALANCE`, `NETWORK_FAILED`
 */
export async function readNativePrice(
  client: PublicClient,
  { name, nativePrice }: Pick<NetworkConfig, 'name' | 'nativePrice'>,
  now: () => number,
  blockNumber?: bigint,
): Promise<bigint> {
  if (!nativePrice) {
    throw new LanyardError('NO_SMART_BALANCE', {
      message: `${name} has no nativePrice in its configuration.`,
    })
  }
  if (nativePrice.kind === 'fixed') return BigInt(nativePrice.price)

  const rejected = (why: string, cause?: unknown) =>
    new LanyardError('NETWORK_FAILED', {
      message: `${name}: the price of its native coin cannot be used: ${why}.`,
      cause,
    })
  const { answer, updatedAt, decimals } = await readFeed(client, nativePrice.feed, blockNumber).catch(
    (error) => {
      throw isNoSuchContract(error)
        ? rejected('there is no price feed at the configured address', error)
        : error
    },
  )
  if (answer <= 0n) throw rejected('the feed does not return a positive price')
  const age = Math.floor(now() / 1000) - Number(updatedAt)
  if (age > nativePrice.maximumAge) {
    throw rejected(`it is ${age} seconds old, and at most ${nativePrice.maximumAge} is allowed`)
  }
  const unit = 10n ** BigInt(decimals)
  return (answer * 1_000_000n + unit - 1n) / unit
}

async function readFeed(client: PublicClient, feed: Address, blockNumber: bigint | undefined) {
  const at = blockNumber === undefined ? {} : { blockNumber }
  const contract = { address: feed, abi: aggregatorAbi, ...at } as const
  const [[, answer, , updatedAt], decimals] = await Promise.all([
    client.readContract({ ...contract, functionName: 'latestRoundData' }),
    client.readContract({ ...contract, functionName: 'decimals' }),
  ])
  return { answer, updatedAt, decimals }
}
