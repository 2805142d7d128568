import type { Address, PublicClient } from 'viem'
import type { NetworkConfig } from './config.ts'
import { readPriceFeed } from './price-feed.ts'

/** A token in which gas can be paid on a network. */
export interface FeeToken {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
  /**
   * What 1 ether of the native coin costs in the token now, from two RPCs.
   *
   * @throws NETWORK_FAILED if the source gives no usable price, NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE
   */
  readonly rate: () => Promise<TokenRate>
}

export interface TokenRate {
  /** Base units of the token for 1 ether (10^18 wei), rounded up. */
  readonly rate: bigint
  /** When the source set it, unix seconds; undefined for a fixed price. */
  readonly at: number | undefined
  readonly source: 'fixed' | 'chainlink'
}

type Source = NonNullable<NetworkConfig['nativePrice']>

/** The tokens of a network, without their prices: the settlement token first. */
export function listFeeTokens({ settlementToken, nativePrice, feeTokens }: NetworkConfig) {
  const first = settlementToken && nativePrice ? [{ ...settlementToken, nativePrice }] : []
  return [...first, ...feeTokens]
}

/**
 * @param source - its price has six decimals if it is fixed
 * @param decimals - the token's
 * @param blockNumber - the block of a feed's price
 */
export async function readTokenRate(
  client: PublicClient,
  { name, source, decimals }: { readonly name: string; readonly source: Source; readonly decimals: number },
  now: () => number,
  blockNumber?: bigint,
): Promise<TokenRate> {
  const unit = 10n ** BigInt(decimals)
  if (source.kind === 'fixed')
    return { rate: divideUp(BigInt(source.price) * unit, 1_000_000n), at: undefined, source: 'fixed' }
  const what = `${name}: the price of its native coin`
  const answer = await readPriceFeed(client, source, { what, now, blockNumber })
  const rate = divideUp(answer.answer * unit, 10n ** BigInt(answer.decimals))
  return { rate, at: answer.updatedAt, source: 'chainlink' }
}

const divideUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
