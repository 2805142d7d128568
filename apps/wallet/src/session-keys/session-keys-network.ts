import type { Address } from 'viem'
import type { Network } from '../networks/use-networks.ts'

/** A network on which sessions can be granted. */
export type SessionKeysNetwork = Network & { readonly sessionKeys: Address }

export const hasSessionKeys = (network: Network): network is SessionKeysNetwork =>
  network.sessionKeys !== undefined
