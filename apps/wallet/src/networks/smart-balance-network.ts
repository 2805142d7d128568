import type { Network, SmartBalance } from './use-networks.ts'

/** A network that takes part in the combined balance. */
export type SmartBalanceNetwork = Network & { readonly smartBalance: SmartBalance }

export const hasSmartBalance = (network: Network): network is SmartBalanceNetwork =>
  network.smartBalance !== undefined
