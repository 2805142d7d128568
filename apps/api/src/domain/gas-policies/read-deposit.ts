import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

/**
 * The deposit from which EntryPoint takes the gas that a paymaster pays.
 *
 * @param entryPoint - v0.7 or v0.8
 * @returns wei
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export const readDeposit = (network: Network, entryPoint: Address, paymaster: Address): Promise<bigint> =>
  network.call((client) =>
    client.readContract({
      address: entryPoint,
      abi: entryPoint07Abi,
      functionName: 'balanceOf',
      args: [paymaster],
    }),
  )
