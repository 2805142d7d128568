import type { Address } from 'viem'

/** The EIP-712 domain of SmartBalance (Order.sol, OrderLib.typedDataHash). */
export function smartBalanceDomain(chainId: number, smartBalance: Address) {
  return { name: 'SmartBalance', version: '1', chainId, verifyingContract: smartBalance } as const
}
