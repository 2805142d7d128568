import type { Network, Networks } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { Address } from 'viem'

/** A network's SmartBalance, in viem's form of a contract. */
interface SmartBalanceContract {
  readonly address: Address
  readonly abi: typeof smartBalanceAbi
}

/** A network with a smart balance. */
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
