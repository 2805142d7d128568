import type { Network } from '@lanyard/networks'
import type { AnyWallet, Wallet } from '../../accounts/accounts/wallet.ts'

/** The account and the network of a build; by default an account for which every feature works. */
export interface BuildTarget<W extends AnyWallet = Wallet> {
  readonly wallet: W
  readonly network: Network
}
