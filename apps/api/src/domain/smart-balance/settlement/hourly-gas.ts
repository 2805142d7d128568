import type { Network } from '@lanyard/networks'

const unitsOfToken = 1_000_000n
const ether = 10n ** 18n

/**
 * The maximum gas cost per hour on a network at the current price of its coin: the target of the gas deposit,
 * and the budget for topping it up.
 *
 * @param tokens - settlement tokens, TOP_UP_PER_HOUR
 * @returns wei
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readHourlyGas(network: Network, tokens: bigint): Promise<bigint> {
  return (tokens * unitsOfToken * ether) / (await network.nativePrice())
}
