import { type Call, encodeRemoveOwner } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { OrderSigner } from '@lanyard/smart-balance'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/safe-kind.ts'
import type { DescribedOwner } from '../accounts/owners/describe-owners.ts'
import { findPasskeySigners, toPasskeyKey } from '../accounts/owners/passkey-signers.ts'
import type { ChangedOwner } from './changed-owner.ts'

/**
 * The address of a named owner on a network, if it owns the account there.
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
 * The calls that remove an owner on a network: from the account, and from the smart balance if it is pinned
 * there. An owner who can act must remain: an EOA or a passkey of the user, not just a contract.
 *
 * @param planUnpin - the calls that end its pin
 * @param described - all owners there, in the order of the Safe's list
 * @throws LAST_OWNER naming the network, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planRemoval(
  wallet: Wallet,
  network: Network,
  described: readonly DescribedOwner[],
  owner: Address,
  planUnpin: (network: Network, account: Address, signer: OrderSigner) => Promise<Call[]>,
): Promise<Call[]> {
  const { chainId, config } = network
  const left = described.filter(({ address, kind }) => kind !== 'contract' && !isAddressEqual(address, owner))
  if (left.length === 0) {
    throw new LanyardError('LAST_OWNER', {
      message: `This is the last owner on ${config.name}. Add another owner there first.`,
      details: { network: chainId },
    })
  }
  const removal = encodeRemoveOwner({
    account: wallet.address,
    owner,
    owners: described.map(({ address }) => address),
  })
  const credential = described.find(({ address }) => isAddressEqual(address, owner))?.credential
  const signer: OrderSigner = credential
    ? { kind: 'passkey', ...toPasskeyKey(credential) }
    : { kind: 'eoa', address: owner }
  return [removal, ...(await planUnpin(network, wallet.address, signer))]
}
