import { LanyardError } from '@lanyard/contracts'
import type { Address, Hash, Hex } from 'viem'
import type { OperationFeatures } from '../operations/dependencies.ts'
import { eoa } from '../operations/signers/eoa.ts'
import { onlySigner, signerOfForm } from '../operations/signers/find-signer.ts'
import type { SigningAccount } from '../operations/signers/signer.ts'
import type { MessageHashes } from './account-message.ts'

interface SignedMessage extends MessageHashes {
  readonly network: number
  readonly signature: Hex
  /** The owners on all networks; called only when no owner on `network` signed. */
  readonly ownersAnywhere: () => Promise<readonly Address[]>
}

/** An owner and its signature as `Safe.checkSignatures` takes it. */
interface RecoveredOwner {
  readonly owner: Address
  readonly signature: Hex
}

/**
 * Recovers the owner of a wallet that signed a message.
 *
 * @throws SIGNATURE_OVER_MESSAGE for an owner's own signature over the message; OWNER_NOT_HERE for an owner
 * on another network only; INVALID_SIGNATURE, SIGNATURE_OVER_TEXT, SIGNATURE_COMPACT, SIGNATURE_MALLEABLE;
 * NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function recoverMessageOwner(
  features: Pick<OperationFeatures, 'signers'>,
  account: SigningAccount,
  { messageHash, messageToSign, network, signature, ownersAnywhere }: SignedMessage,
): Promise<RecoveredOwner> {
  const signer = onlySigner(account.wallet) ?? signerOfForm(features, signature) ?? eoa // explains what is wrong with any other signature
  async function recover(
    hash: Hash,
    ownersOn: SigningAccount['ownersOn'],
  ): Promise<RecoveredOwner | LanyardError> {
    try {
      const candidate = { network, safe_op_hash: hash }
      const { owner, ownerSignature } = await signer.recognise(
        [candidate],
        { ...account, ownersOn },
        signature,
      )
      return owner ? { owner, signature: ownerSignature } : new LanyardError('INVALID_SIGNATURE')
    } catch (error) {
      if (error instanceof LanyardError && error.code === 'INVALID_SIGNATURE') return error
      throw error
    }
  }
  const recovered = await recover(messageToSign, account.ownersOn)
  if ('owner' in recovered) return recovered
  const anywhere = await ownersAnywhere()
  const overMessage = await recover(messageHash, async () => anywhere)
  if ('owner' in overMessage) throw new LanyardError('SIGNATURE_OVER_MESSAGE')
  const absent = await recover(messageToSign, async () => anywhere)
  if ('owner' in absent) throw new LanyardError('OWNER_NOT_HERE', { details: { owner: absent.owner } })
  throw recovered
}
