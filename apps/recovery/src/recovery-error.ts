export type RecoveryErrorCode =
  /** The file is no recovery kit, or was changed: the account's address does not follow from it. */
  | 'NOT_A_KIT'
  /** The RPC does not answer, or is another network's. */
  | 'WRONG_RPC'
  /** Whoever signs does not own the account on this network. */
  | 'NOT_AN_OWNER'
  /** The account is one that more than one owner has to sign for. */
  | 'THRESHOLD'
  /** The passkey's answer cannot be verified on chain. */
  | 'UNUSABLE_ASSERTION'
  /** The account or the payer cannot pay for the gas. */
  | 'CANNOT_PAY'
  /** What was sent failed. */
  | 'FAILED'
  /** The arguments of the script cannot be used. */
  | 'USAGE'

/** Something that a person has to read: `message` is a sentence for them, `code` to branch on. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
  readonly code: RecoveryErrorCode

  constructor(code: RecoveryErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

/** The shortest true words about something that was thrown: viem's first sentence, without the request's dump. */
export function inWords(error: unknown): string {
  if (error instanceof Error && 'shortMessage' in error && typeof error.shortMessage === 'string') {
    return reasonWithin(error) ?? error.shortMessage
  }
  return error instanceof Error ? error.message : String(error)
}

/** The reason of a revert is further inside. */
function reasonWithin(error: Error): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('reason' in at && typeof at.reason === 'string' && at.reason !== '') return at.reason
  }
  return undefined
}
