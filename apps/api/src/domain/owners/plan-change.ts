import {
  type AccountOwner,
  type Call,
  encodeAddOwner,
  encodeCreateSigner,
  encodeRemoveOwner,
  toOwner,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { CredentialRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { OrderSigner } from '@lanyard/smart-balance'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/kind.ts'
import { type CallerContext, requireUser } from '../accounts/callers/caller.ts'
import {
  type DescribedOwner,
  findPasskeySigners,
  readSignerAddress,
  toPasskeyOwner,
} from '../accounts/owners/describe-owners.ts'
import type { OwnedWallet } from '../accounts/owners/owned-wallet.ts'

/** The calls to sign on a network, as the interface returns them; undefined when there is nothing to do. */
export const toNetworkPlan = ({ chainId }: Network, calls: readonly Call[]) => ({
  network: chainId,
  status: calls.length > 0 ? ('pending' as const) : ('done' as const),
  transactionDetails: calls.map(({ to, value, data }) => ({
    encodedData: data,
    targetContractAddress: to,
    value: value.toString(),
  })),
})

/** The owner whose ownership changes. */
type ChangedOwner = { readonly address: Address } | { readonly credential: CredentialRow }

/** How a request names an owner: by exactly one of the two. */
type OwnerName =
  | { readonly ownerAddress: Address; readonly credentialId?: undefined }
  | { readonly credentialId: string; readonly ownerAddress?: undefined }

/**
 * Checks how a request names an owner. It reads nothing, so it comes before what does.
 *
 * @throws INVALID_INPUT unless exactly one is named
 */
export function toOwnerName({
  ownerAddress,
  credentialId,
}: {
  readonly ownerAddress?: Address | undefined
  readonly credentialId?: string | undefined
}): OwnerName {
  if (ownerAddress !== undefined && credentialId === undefined) return { ownerAddress }
  if (ownerAddress === undefined && credentialId !== undefined) return { credentialId }
  const message = 'Send exactly one of ownerAddress and credentialId'
  throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'ownerAddress', message }] })
}

/**
 * Finds the owner that a request names. A passkey is private to its user, so naming one requires the user's
 * token. For other callers it does not exist.
 *
 * @throws UNAUTHORIZED, UNKNOWN_CREDENTIAL
 */
export async function findChangedOwner(
  context: CallerContext,
  { userId, credentials }: OwnedWallet,
  { ownerAddress, credentialId }: OwnerName,
): Promise<ChangedOwner> {
  if (ownerAddress !== undefined) return { address: ownerAddress }
  const credential =
    (await requireUser(context)) === userId ? credentials.find(({ id }) => id === credentialId) : undefined
  if (!credential) throw new LanyardError('UNKNOWN_CREDENTIAL')
  return { credential }
}

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
  if ('address' in added) {
    const isOwner = owners.some((owner) => isAddressEqual(owner, added.address))
    if (isOwner) return []
    const { address } = added
    return [encodeAddOwner({ account, owner: address }), ...planPin(network, toOwner({ address }))]
  }
  const { credential } = added
  const signers = await findPasskeySigners(network, wallet, owners, [credential])
  if (signers.length > 0) return []
  const key = toPasskeyOwner(credential)
  return [
    encodeCreateSigner(key, deployment),
    encodeAddOwner({ account, owner: await readSignerAddress(network, wallet, credential) }),
    ...planPin(network, key),
  ]
}

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
  if ('address' in named) return owners.find((owner) => isAddressEqual(owner, named.address))
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
  const signer: OrderSigner = credential ? toPasskeyOwner(credential) : toOwner({ address: owner })
  return [removal, ...(await planUnpin(network, wallet.address, signer))]
}
