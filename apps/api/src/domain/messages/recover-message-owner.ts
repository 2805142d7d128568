import { LanyardError } from '@lanyard/contracts'
import type { Address, Hex } from 'viem'
import { signatureError } from '../operations/submit/recognise-signature.ts'
import { findSigner, recoverOwner } from '../operations/submit/recover-owner.ts'
import type { MessageHashes } from './account-message.ts'

interface EoaSignature extends MessageHashes {
  readonly signature: Hex
  /** The owners of the account on the network. */
  readonly owners: readonly Address[]
  /** The owners on all networks; called only when none of `owners` signed. */
  readonly ownersAnywhere: () => Promise<readonly Address[]>
}

/** An EOA owner and its signature as `Safe.checkSignatures` takes it. */
interface RecoveredOwner {
  readonly owner: Address
  readonly signature: Hex
}

/**
 * Recovers the EOA owner of a wallet that signed a message.
 *
 * @throws SIGNATURE_OVER_MESSAGE for an owner's own signature over the message; OWNER_NOT_HERE for an owner
 * on another network only; INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE;
 * NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function recoverMessageOwner({
  messageHash,
  messageToSign,
  signature,
  owners,
  ownersAnywhere,
}: EoaSignature): Promise<RecoveredOwner> {
  const recovered = await recoverOwner(messageToSign, signature, owners)
  if (recovered.ok) return recovered
  if (recovered.code !== 'WRONG_SIGNER') throw signatureError(recovered)

  const anywhere = await ownersAnywhere()
  const overMessage = await recoverOwner(messageHash, signature, anywhere)
  if (overMessage.ok) throw new LanyardError('SIGNATURE_OVER_MESSAGE')
  const absent = findSigner(recovered, anywhere)
  if (absent !== undefined) throw new LanyardError('OWNER_NOT_HERE', { details: { owner: absent } })
  throw signatureError(recovered)
}
