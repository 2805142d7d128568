import { type AccountOwner, type Call, encodeAddOwner, encodeCreateSigner } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/safe-kind.ts'
import { findPasskeySigners, readSignerAddress, toPasskeyKey } from '../accounts/owners/passkey-signers.ts'
import type { ChangedOwner } from './changed-owner.ts'

/**
 * The calls that add an owner on a network; none if it already is one. For a passkey, the first call creates
 * its signer contract, which does nothing if the contract exists. If the network has a smart balance, the
 * last call pins the owner there: otherwise, orders that it signs could not be settled.
 *
 * @param planPin - the calls that pin it
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planAddition(
  network: Network,
  wallet: Wallet,
  owners: readonly Address[],
  added: ChangedOwner,
  planPin: (network: Network, signer: AccountOwner) => Call[],
): Promise<Call[]> {
  const { address: account, deployment } = wallet
  if (added.kind === 'address') {
    const isOwner = owners.some((owner) => isAddressEqual(owner, added.address))
    if (isOwner) return []
    const { address } = added
    return [encodeAddOwner({ account, owner: address }), ...planPin(network, { kind: 'eoa', address })]
  }
  const { credential } = added
  const signers = await findPasskeySigners(network, wallet, owners, [credential])
  if (signers.length > 0) return []
  const key = toPasskeyKey(credential)
  return [
    encodeCreateSigner(key, deployment),
    encodeAddOwner({ account, owner: await readSignerAddress(network, wallet, credential) }),
    ...planPin(network, { kind: 'passkey', ...key }),
  ]
}
