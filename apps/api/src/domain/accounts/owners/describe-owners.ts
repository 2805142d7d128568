import {
  decodeSignerConfiguration,
  encodeGetConfiguration,
  isEoaCode,
  parseCosePublicKey,
  signerAddressRead,
  toOwner,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { CredentialRow } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/kind.ts'
import { type AnyWallet, isContractAccount } from '../accounts/wallet.ts'
import { onEachNetwork, readOwners } from './read-owners.ts'

/** A passkey that owns an account on one network, and its signer contract there. */
export interface PasskeySigner {
  readonly credential: CredentialRow
  readonly contract: Address
}

/** A passkey as the account functions take it. */
export const toPasskeyOwner = ({ public_key, verifiers }: CredentialRow) =>
  toOwner({ ...parseCosePublicKey(new Uint8Array(public_key)), verifiers })

/**
 * The signer contract of a passkey on a network, created or not. The address is read from the network's own
 * factory: it depends on every byte of the proxy code that the factory embeds, and builds of the factory
 * differ.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readSignerAddress(
  network: Network,
  { deployment }: Wallet,
  credential: CredentialRow,
): Promise<Address> {
  const read = signerAddressRead(toPasskeyOwner(credential), deployment)
  return network.call((client) => client.readContract(read))
}

/**
 * Finds the passkeys that are among the account's owners on a network.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findPasskeySigners(
  network: Network,
  wallet: Wallet,
  owners: readonly Address[],
  credentials: readonly CredentialRow[],
): Promise<PasskeySigner[]> {
  const { sharedSigner } = wallet.deployment
  const owns = (contract: Address) => owners.some((owner) => isAddressEqual(owner, contract))
  const onlyShared = owners.every((owner) => isAddressEqual(owner, sharedSigner))
  const found = await Promise.all(
    credentials.map(async (credential): Promise<PasskeySigner[]> => {
      if (credential.first_owner && owns(sharedSigner)) return [{ credential, contract: sharedSigner }]
      if (onlyShared) return []
      const contract = await readSignerAddress(network, wallet, credential)
      return owns(contract) ? [{ credential, contract }] : []
    }),
  )
  return found.flat()
}

export interface DescribedOwner {
  readonly address: Address
  readonly kind: 'eoa' | 'passkey' | 'contract'
  /** Present for passkeys of this service. */
  readonly credential?: CredentialRow
}

/**
 * Determines the kind of each owner: a passkey of the wallet's user, an EOA, or a contract that this service
 * does not know.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function describeOwners(
  network: Network,
  wallet: AnyWallet,
  owners: readonly Address[],
  credentials: readonly CredentialRow[],
): Promise<DescribedOwner[]> {
  const signers = isContractAccount(wallet)
    ? await findPasskeySigners(network, wallet, owners, credentials)
    : []
  return Promise.all(
    owners.map(async (address): Promise<DescribedOwner> => {
      const signer = signers.find(({ contract }) => isAddressEqual(contract, address))
      if (signer) return { address, kind: 'passkey', credential: signer.credential }
      const code = await network.call((client) => client.getCode({ address }))
      return { address, kind: isEoaCode(code) ? 'eoa' : 'contract' }
    }),
  )
}

/**
 * Whether the shared signer answers for this passkey. Whoever had an owner's key may have had the account configure it with another
 * one (DELEGATECALL): the list of owners stays the same, and the passkey owns nothing.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function isConfigured(
  network: Network,
  { address, deployment }: Wallet,
  credential: CredentialRow,
): Promise<boolean> {
  const { data = '0x' } = await network.call((client) =>
    client.call({ to: deployment.sharedSigner, data: encodeGetConfiguration(address) }),
  )
  const found = decodeSignerConfiguration(data)
  // It has no key of an account that is not deployed.
  if (!found || (found.x === 0n && found.y === 0n)) return true
  const { x, y, verifiers } = toPasskeyOwner(credential)
  return found.x === x && found.y === y && found.verifiers === verifiers
}

/** As {@link describeOwners}, for a person who looks whether all is well: a shared signer with another key is no passkey of theirs. */
export async function inspectOwners(
  network: Network,
  wallet: AnyWallet,
  owners: readonly Address[],
  credentials: readonly CredentialRow[],
): Promise<DescribedOwner[]> {
  const described = await describeOwners(network, wallet, owners, credentials)
  return Promise.all(
    described.map(async ({ address, kind, credential }): Promise<DescribedOwner> => {
      const isShared =
        credential && isContractAccount(wallet) && isAddressEqual(address, wallet.deployment.sharedSigner)
      if (isShared && !(await isConfigured(network, wallet, credential))) return { address, kind: 'contract' }
      return { address, kind, ...(credential && { credential }) }
    }),
  )
}

/**
 * Whether a passkey owns an account on a network now.
 *
 * @throws NETWORK_UNAVAILABLE if a network that may have it as an owner does not answer
 */
export async function isPasskeyOwner(
  networks: Networks,
  wallet: Wallet,
  credential: CredentialRow,
): Promise<boolean> {
  const answers = await onEachNetwork(networks, async (network) => {
    const { owners } = await readOwners(network, wallet)
    const signers = await findPasskeySigners(network, wallet, owners, [credential])
    const isShared = signers.some(({ contract }) => isAddressEqual(contract, wallet.deployment.sharedSigner))
    return { signers: isShared && !(await isConfigured(network, wallet, credential)) ? [] : signers }
  })
  if (answers.some((answer) => 'signers' in answer && answer.signers.length > 0)) return true
  if (answers.some((answer) => 'status' in answer)) throw new LanyardError('NETWORK_UNAVAILABLE')
  return false
}
