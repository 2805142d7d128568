import { computeSignerAddress } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { findAccount } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, type Hash, type Hex, isAddressEqual, size } from 'viem'
import type { Wallet } from '../../domain/accounts/accounts/wallet.ts'
import { toPasskeyKey } from '../../domain/accounts/owners/passkey-signers.ts'
import { readOwners } from '../../domain/accounts/owners/read-owners.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import {
  isPasskeySignature,
  parseContractSignature,
} from '../../domain/accounts/passkeys/verify-contract-signature.ts'
import {
  eoaSigner,
  firstOwnerSigner,
  type OperationSigner,
  passkeySigner,
} from '../../domain/operations/operation-signer.ts'
import { signatureError } from '../../domain/operations/submit/recognise-signature.ts'
import { recoverOwner } from '../../domain/operations/submit/recover-owner.ts'
import type { Services } from '../../pipeline/services.ts'

/** An EOA's signature, r ‖ s ‖ v. */
const ecdsaSize = 65

export interface VerifiedOwnerSignature {
  readonly signMode: 'ECDSA' | 'WEBAUTHN'
  /** The signatures as `Safe.checkSignatures` takes them. */
  readonly signatures: Hex
}

/**
 * Verifies that an owner of a wallet signed a SafeOp hash, before anything is written for it: an EOA, or a
 * passkey through its signer contract.
 *
 * @throws INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_MALLEABLE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function verifyOwnerSignature(
  services: Services,
  network: Network,
  wallet: Wallet,
  safeOperationHash: Hash,
  signatures: Hex,
): Promise<VerifiedOwnerSignature> {
  const { owners } = await readOwners(network, wallet)
  if (size(signatures) === ecdsaSize) {
    const recovered = await recoverOwner(safeOperationHash, signatures, owners)
    if (!recovered.ok) throw signatureError(recovered)
    return { signMode: 'ECDSA', signatures: recovered.signature }
  }
  const contract = parseContractSignature(signatures)
  const isOwner = contract && owners.some((owner) => isAddressEqual(owner, contract.signer))
  const key = isOwner && (await findPasskey(services, wallet, contract.signer))
  if (!key || !isPasskeySignature(safeOperationHash, contract.data, key))
    throw new LanyardError('INVALID_SIGNATURE', {
      message: 'AA24 signature error: no owner of this account signed this operation.',
    })
  return { signMode: 'WEBAUTHN', signatures }
}

/** The signer to estimate for, according to the client's stub; the first owner if the stub names none. */
export async function signerOfStub(
  services: Services,
  wallet: Wallet,
  signature: Hex,
): Promise<OperationSigner> {
  const validitySize = 12
  if (size(signature) === validitySize + ecdsaSize) return eoaSigner
  const stub: Hex = size(signature) > validitySize ? `0x${signature.slice(2 + 2 * validitySize)}` : '0x'
  const contract = parseContractSignature(stub)
  const key = contract && (await findPasskey(services, wallet, contract.signer))
  if (!key) return firstOwnerSigner(wallet)
  return passkeySigner({ contract: contract.signer, verifiers: key.verifiers })
}

/** The passkey of a signer contract: the first owner, or another passkey of the wallet's user. */
async function findPasskey({ database }: Services, { address, owner, deployment }: Wallet, signer: Address) {
  if (isAddressEqual(signer, deployment.sharedSigner)) return owner.kind === 'passkey' ? owner : undefined
  const account = await findAccount(database, address)
  if (!account) return undefined // an EOA's account that is not registered
  const credentials = await listCredentials(database, account.user_id)
  return credentials
    .map(toPasskeyKey)
    .find((key) => isAddressEqual(computeSignerAddress(key, deployment), signer))
}
