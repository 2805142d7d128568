import { brand } from '@lanyard/ui'
import type { Network, SmartBalance } from './use-networks.ts'

/** A network that takes part in the combined balance, if the wallet shows it. */
export type SmartBalanceNetwork = Network & { readonly smartBalance: SmartBalance }

export const hasSmartBalance = (network: Network): network is SmartBalanceNetwork =>
  brand.features.combinedBalance && network.smartBalance !== undefined
