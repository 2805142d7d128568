import type { Network } from '@lanyard/networks'
import type { Wallet } from '../../accounts/accounts/wallet.ts'

/** Whose operation is built, and where. */
export interface BuildTarget {
  readonly wallet: Wallet
  readonly network: Network
}
