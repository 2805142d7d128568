import { type Call, encodeAddOwner, encodeCreateSigner } from '@lanyard/accounts'
import { type Address, getAddress, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'
import { type ChangedOwner, toPasskeyOwner } from './changed-owner.ts'
import { findPasskeySigners } from './passkey-signers.ts'

/**
 * The calls that make an owner one on a network; none where it is one already. The calls of a passkey create its
 * signer contract first, which does nothing where that exists.
 */
export function planAddition(wallet: Wallet, owners: readonly Address[], added: ChangedOwner): Call[] {
  const { address: account, deployment } = wallet
  if (added.kind === 'address') {
    const isOwner = owners.some((owner) => isAddressEqual(owner, added.address))
    return isOwner ? [] : [encodeAddOwner({ account, owner: added.address })]
  }
  const { credential } = added
  if (findPasskeySigners(wallet, owners, [credential]).length > 0) return []
  return [
    encodeCreateSigner(toPasskeyOwner(credential), deployment),
    encodeAddOwner({ account, owner: getAddress(credential.signer) }),
  ]
}
