import { type Call, encodeRemoveOwner } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'
import type { ChangedOwner } from './changed-owner.ts'
import type { DescribedOwner } from './describe-owners.ts'
import { findPasskeySigners } from './passkey-signers.ts'

/**
 * The address by which a named owner owns the account on a network, where it does.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findOwnerAddress(
  network: Network,
  wallet: Wallet,
  owners: readonly Address[],
  named: ChangedOwner,
): Promise<Address | undefined> {
  if (named.kind === 'address') return owners.find((owner) => isAddressEqual(owner, named.address))
  const [signer] = await findPasskeySigners(network, wallet, owners, [named.credential])
  return signer?.contract
}

/**
 * The call that removes an owner on a network. Somebody must be left who can act: an EOA or a passkey of the user,
 * not just a contract.
 *
 * @param described - all owners there, in the order of the Safe's list
 * @throws LAST_OWNER naming the network
 */
export function planRemoval(
  wallet: Wallet,
  { chainId, config }: Network,
  described: readonly DescribedOwner[],
  owner: Address,
): Call {
  const left = described.filter(({ address, kind }) => kind !== 'contract' && !isAddressEqual(address, owner))
  if (left.length === 0) {
    throw new LanyardError('LAST_OWNER', {
      message: `This is the last owner on ${config.name}. Add another owner there first.`,
      details: { network: chainId },
    })
  }
  return encodeRemoveOwner({
    account: wallet.address,
    owner,
    owners: described.map(({ address }) => address),
  })
}
