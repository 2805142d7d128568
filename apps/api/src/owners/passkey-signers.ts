import type { CredentialRow } from '@lanyard/database'
import { type Address, getAddress, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/wallet.ts'
import type { OperationSigner } from '../operations/operation-signer.ts'

/** A passkey that owns an account on one network, and the contract by which it does. */
export interface PasskeySigner {
  readonly credential: CredentialRow
  readonly contract: Address
}

/** The user's passkeys among the owners of their account on one network. */
export function findPasskeySigners(
  wallet: Wallet,
  owners: readonly Address[],
  credentials: readonly CredentialRow[],
): PasskeySigner[] {
  const owns = (contract: Address) => owners.some((owner) => isAddressEqual(owner, contract))
  return credentials.flatMap((credential) => {
    const candidates = [
      ...(credential.first_owner ? [wallet.deployment.sharedSigner] : []),
      getAddress(credential.signer),
    ]
    const contract = candidates.find(owns)
    return contract === undefined ? [] : [{ credential, contract }]
  })
}

/**
 * The signer to estimate for when any of several may sign: one that was added later, where there is one, since its
 * contract is called through a proxy and costs more than the shared signer.
 */
export function costliestSigner(wallet: Wallet, signers: readonly PasskeySigner[]): OperationSigner | undefined {
  const later = signers.find(({ contract }) => !isAddressEqual(contract, wallet.deployment.sharedSigner))
  const chosen = later ?? signers[0]
  if (!chosen) return undefined
  return { kind: 'passkey', contract: chosen.contract, verifiers: chosen.credential.verifiers }
}
