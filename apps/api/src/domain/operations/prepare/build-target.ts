import type { Network } from '@lanyard/networks'
import type { Wallet } from '../../accounts/accounts/wallet.ts'

/** The account and the network of a build. */
export interface BuildTarget {
  readonly wallet: Wallet
  readonly network: Network
}
