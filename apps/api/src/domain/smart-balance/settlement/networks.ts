import type { Network, Networks } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { Address } from 'viem'

/** SmartBalance of a network, as viem takes a contract. */
interface SmartBalanceContract {
  readonly address: Address
  readonly abi: typeof smartBalanceAbi
}

/** A network that takes part in the smart balance. */
export interface BalanceNetwork {
  readonly network: Network
  readonly contract: SmartBalanceContract
}

/** The networks that have a SmartBalance. */
export const balanceNetworks = (networks: Networks): BalanceNetwork[] =>
  networks.list().flatMap((network) => {
    const { smartBalance: address } = network.config
    return address === undefined ? [] : [{ network, contract: { address, abi: smartBalanceAbi } }]
  })
