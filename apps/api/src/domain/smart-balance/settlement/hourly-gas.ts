import type { Network } from '@lanyard/networks'

const unitsOfToken = 1_000_000n
const ether = 10n ** 18n

/**
 * What an hour's gas may cost on a network by the present price of its coin: the target of the gas deposit, and the
 * budget of its top-ups.
 *
 * @param tokens - settlement tokens, TOP_UP_PER_HOUR
 * @returns wei
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readHourlyGas(network: Network, tokens: bigint): Promise<bigint> {
  return (tokens * unitsOfToken * ether) / (await network.nativePrice())
}
