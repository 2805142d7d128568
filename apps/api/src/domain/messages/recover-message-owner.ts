import { type RecoverOwnerSignatureResult, recoverOwnerSignature } from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { LanyardError } from '@lanyard/contracts'
import { type Address, type Hash, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { signatureError } from '../operations/submit/recognise-signature.ts'
import type { MessageHashes } from './account-message.ts'

interface EoaSignature extends MessageHashes {
  readonly signature: Hex
  /** Who owns the account on the network. */
  readonly owners: readonly Address[]
  /** Who owns it anywhere; asked only when none of `owners` signed. */
  readonly ownersAnywhere: () => Promise<readonly Address[]>
}

/** An EOA owner and its signature as `Safe.checkSignatures` takes it. */
interface RecoveredOwner {
  readonly owner: Address
  readonly signature: Hex
}

/**
 * Which owner of a wallet signed a message with an EOA.
 *
 * @throws SIGNATURE_OVER_MESSAGE for an owner's own signature over the message; OWNER_NOT_HERE for an owner on another
 * network only; INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE; NETWORK_UNAVAILABLE,
 * NETWORK_FAILED
 */
export async function recoverMessageOwner({
  messageHash,
  messageToSign,
  signature,
  owners,
  ownersAnywhere,
}: EoaSignature): Promise<RecoveredOwner> {
  const recover = (hash: Hash, owner: Address) =>
    recoverOwnerSignature({ hash, owner, signature, recover: recoverFast })
  const within = (candidates: readonly Address[], known: readonly Address[]) =>
    known.find((owner) => candidates.some((candidate) => isAddressEqual(candidate, owner)))

  const tried = await recover(messageToSign, zeroAddress) // no key has this address
  const signers = addressesOf(tried)
  const owner = within(signers, owners)
  if (owner !== undefined) {
    const recovered = await recover(messageToSign, owner)
    if (recovered.ok) return { owner, signature: recovered.signature }
    throw signatureError(recovered)
  }
  if (tried.ok || tried.code !== 'WRONG_SIGNER') throw signatureError(tried.ok ? undefined : tried)

  const anywhere = await ownersAnywhere()
  if (within(addressesOf(await recover(messageHash, zeroAddress)), anywhere) !== undefined) {
    throw new LanyardError('SIGNATURE_OVER_MESSAGE')
  }
  const absent = within(signers, anywhere)
  if (absent !== undefined) throw new LanyardError('OWNER_NOT_HERE', { details: { owner: absent } })
  throw signatureError(tried)
}

/** Who would have signed, in each form. */
function addressesOf(result: RecoverOwnerSignatureResult): Address[] {
  if (result.ok || result.code !== 'WRONG_SIGNER') return []
  return Object.values(result.recovered).filter((address) => address !== undefined)
}
