import { LanyardError } from '@lanyard/contracts'
import type { PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import { readPriceFeed } from './price-feed.ts'

/** How long a price is cached, milliseconds. Feeds change every few minutes at most. */
export const nativePriceLifetime = 15_000

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
  const what = `${name}: the price of its native coin`
  const { answer, decimals } = await readPriceFeed(client, nativePrice, { what, now, blockNumber })
  const unit = 10n ** BigInt(decimals)
  return (answer * 1_000_000n + unit - 1n) / unit
}
