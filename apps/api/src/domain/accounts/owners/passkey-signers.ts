import { parseCosePublicKey, safeWebAuthnSignerFactoryAbi } from '@lanyard/accounts'
import type { CredentialRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'

/** A passkey that owns an account on one network, and the contract by which it does. */
export interface PasskeySigner {
  readonly credential: CredentialRow
  readonly contract: Address
}

/** A passkey's key as the account functions take it. */
export const toPasskeyKey = ({ public_key, verifiers }: CredentialRow) => ({
  ...parseCosePublicKey(new Uint8Array(public_key)),
  verifiers,
})

/**
 * The signer contract of a passkey on a network, created or not. The network's own factory says where it is: the
 * address depends on every byte of the proxy that the factory embeds, which is not the same for every build of it.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readSignerAddress(
  network: Network,
  { deployment }: Wallet,
  credential: CredentialRow,
): Promise<Address> {
  const { x, y, verifiers } = toPasskeyKey(credential)
  return network.call((client) =>
    client.readContract({
      address: deployment.signerFactory,
      abi: safeWebAuthnSignerFactoryAbi,
      functionName: 'getSigner',
      args: [x, y, verifiers],
    }),
  )
}

/**
 * Those passkeys that are among the owners of the account on a network.
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
