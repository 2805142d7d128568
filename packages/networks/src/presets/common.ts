import type { Preset } from './preset.ts'

/** Circle's own USDC: native, not bridged, 6 decimals everywhere. */
export const usdc = (address: `0x${string}`) => ({
  address,
  symbol: 'USDC',
  decimals: 6,
})

type Feed = NonNullable<Preset['priceFeeds']>[string]

/** @param maximumAge - the feed's heartbeat and a margin, seconds */
export const chainlink = (feed: `0x${string}`, maximumAge: number): Feed & { kind: 'chainlink' } => ({
  kind: 'chainlink',
  feed,
  maximumAge,
})

/** A feed of a price that is only shown. Those of USDC change on moves of 0.25 %, otherwise once a day. */
export const shownPrice = (feed: `0x${string}`, maximumAge = 90_000): Feed => ({ feed, maximumAge })

/**
 * Test networks guarantee no heartbeat for feeds, and no money depends on their prices: one day and one hour.
 * Seconds.
 */
export const testNetworkMaximumAge = 90_000

/**
 * For rollups: the block's data is in a final block of L1, 13 to 20 minutes after the block. `safe` (the data
 * is on L1) comes about ten minutes earlier but can be reverted together with L1. It is not used, because
 * final blocks on one network decide about deposits on another.
 */
export const finalOnL1: Preset['finality'] = { tag: 'finalized' }

export const ether: Preset['nativeCurrency'] = { name: 'Ether', symbol: 'ETH', decimals: 18 }

/** wei of a number of gwei (10^9). */
export const gwei = (amount: number): string => String(BigInt(Math.round(amount * 1e9)))

/** The chain runs EIP-7702. Whether EntryPoint v0.8 and the delegate are deployed, preflight sees. */
export const withoutEip7702: Preset['accountKinds'] = ['safe']
export const withEip7702: Preset['accountKinds'] = ['safe', 'eip7702']
