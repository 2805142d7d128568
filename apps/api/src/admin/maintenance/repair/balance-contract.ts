import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { BalanceNetwork } from '../../../domain/smart-balance/settlement/dependencies.ts'

/** The SmartBalance of a network, if it has one. */
export function balanceContract(network: Network): BalanceNetwork | undefined {
  const { smartBalance: address } = network.config
  return address === undefined ? undefined : { network, contract: { address, abi: smartBalanceAbi } }
}
