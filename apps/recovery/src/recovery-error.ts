import { CodedError } from '@lanyard/onchain'

export type RecoveryErrorCode =
  /** The file is not a recovery kit, or it was modified: the account's address does not follow from it. */
  | 'NOT_A_KIT'
  /** The RPC does not answer, or serves another network. */
  | 'WRONG_RPC'
  /** The signer does not own the account on this network. */
  | 'NOT_AN_OWNER'
  /** The account requires more than one owner's signature. */
  | 'THRESHOLD'
  /** The passkey's signature cannot be verified on chain. */
  | 'UNUSABLE_ASSERTION'
  /** The account or the payer cannot pay for the gas. */
  | 'CANNOT_PAY'
  /** The account has no Ownership module on this network. */
  | 'NO_OWNERSHIP'
  /** The text is neither a signed owner change nor a recovery with its signatures. */
  | 'NOT_SIGNED_MESSAGES'
  /** What was signed is for another sequence of changes. */
  | 'OTHER_SEQUENCE'
  /** The guardians named are not those in force. */
  | 'OTHER_GUARDIANS'
  /** A recovery runs already. */
  | 'RECOVERY_REPLACED'
  /** The recovery to execute does not run. */
  | 'NO_RECOVERY'
  /** The delay of the recovery has not passed. */
  | 'NOT_READY'
  /** The transaction or operation failed. */
  | 'FAILED'
  /** The script's arguments are invalid. */
  | 'USAGE'

/** An error to show to a person. `message` is a sentence for them; programs branch on `code`. */
export class RecoveryError extends CodedError<RecoveryErrorCode> {
  override readonly name = 'RecoveryError'
}

/** A short description of a thrown value: viem's first sentence, without the dump of the request. */
export function describeError(error: unknown): string {
  if (error instanceof Error && 'shortMessage' in error && typeof error.shortMessage === 'string') {
    return reasonWithin(error) ?? error.shortMessage
  }
  return error instanceof Error ? error.message : String(error)
}

/** The revert reason is in a nested cause. */
function reasonWithin(error: Error): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('reason' in at && typeof at.reason === 'string' && at.reason !== '') return at.reason
  }
  return undefined
}
