import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { type Address, type Hash, type Hex, isAddressEqual, zeroAddress } from 'viem'

/** The owner that made an EOA signature, and the signature as `Safe.checkSignatures` takes it. */
export type RecoverOwnerResult =
  | { readonly ok: true; readonly owner: Address; readonly signature: Hex }
  | Extract<RecoverOwnerSignatureResult, { ok: false }>

/** No key has this address. */
const nobody: Address = zeroAddress

/** Finds the owner that signed a hash, directly or by `personal_sign`. */
export async function recoverOwner(
  hash: Hash,
  signature: Hex,
  owners: readonly Address[],
): Promise<RecoverOwnerResult> {
  const recover = (owner: Address) => recoverOwnerSignature({ hash, owner, signature, recover: recoverFast })
  const tried = await recover(nobody)
  if (tried.ok) return { ...tried, owner: nobody }
  const owner = findSigner(tried, owners)
  if (owner === undefined) return tried
  const recovered = await recover(owner)
  return recovered.ok ? { ok: true, owner, signature: recovered.signature } : recovered
}

/** Finds which of `known` signed, in any form of the signature. */
export function findSigner(result: RecoverOwnerResult, known: readonly Address[]): Address | undefined {
  if (result.ok) return result.owner
  if (result.code !== 'WRONG_SIGNER') return undefined
  const signers = Object.values(result.recovered).filter((address) => address !== undefined)
  return known.find((owner) => signers.some((signer) => isAddressEqual(signer, owner)))
}
