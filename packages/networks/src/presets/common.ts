import type { Preset } from './preset.ts'

/** Circle's own USDC: native, not bridged, 6 decimals everywhere. */
export const usdc = (address: `0x${string}`): Preset['settlementToken'] => ({
  address,
  symbol: 'USDC',
  decimals: 6,
})

/** @param maximumAge - the feed's heartbeat and a margin, seconds */
export const chainlink = (feed: `0x${string}`, maximumAge: number): Preset['nativePrice'] => ({
  kind: 'chainlink',
  feed,
  maximumAge,
})

/**
 * On test networks a feed's heartbeat is nobody's promise, and no money rests on its price: a day, and an hour more.
 * Seconds.
 */
export const testNetworkMaximumAge = 90_000

/**
 * Rollups: the block's data is in a final block of L1, 13 to 20 minutes after it was made. `safe` (the data is on L1)
 * comes some ten minutes earlier and can go back with L1; what is final on one network decides about deposits on
 * another, so that is not taken.
 */
export const finalOnL1: Preset['finality'] = { tag: 'finalized' }

export const ether: Preset['nativeCurrency'] = { name: 'Ether', symbol: 'ETH' }
