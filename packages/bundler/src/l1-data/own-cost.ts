import { l1FeeAt, type Network } from '@lanyard/networks'
import type { Address, Hex } from 'viem'

interface OwnTransaction {
  readonly to: Address
  readonly data: Hex
  /** Gas of execution, and of L1 data if the node has estimated it. */
  readonly gas: bigint
  /** wei per gas. */
  readonly maxFeePerGas: bigint
}

/**
 * What a transaction costs its sender at most, wei: its gas, and what a rollup charges besides for its data on L1 and as
 * operator fee. No request on networks that charge nothing for them.
 *
 * @throws NETWORK_UNAVAILABLE; NETWORK_FAILED if the network names a fee above the configured maximum
 */
export async function ownCost(
  network: Network,
  { to, data, gas, maxFeePerGas }: OwnTransaction,
): Promise<bigint> {
  const cost = gas * maxFeePerGas
  if (!network.config.l1Fee) return cost
  const fee = await network.l1Fee({ to, data })
  // Where the data is charged as gas (Arbitrum), the gas contains it.
  return fee.gas > 0n ? cost : cost + l1FeeAt(network.config, fee, gas)
}
