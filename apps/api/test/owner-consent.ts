import { ownerConsentText } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/** The signature of a key that may own an account. */
export const consentOf = (owner: PrivateKeyAccount, account: Address): Promise<Hex> =>
  owner.signMessage({ message: ownerConsentText({ account, owner: owner.address }) })
