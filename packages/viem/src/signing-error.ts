import type { EncodeWebAuthnSignatureResult, RecoverOwnerSignatureResult } from '@lanyard/accounts'

type Failed = Extract<EncodeWebAuthnSignatureResult | RecoverOwnerSignatureResult, { ok: false }>['code']

/** Why the account would refuse what its owner's wallet or authenticator made. */
export type SigningErrorCode =
  | Failed
  /** The account is not deployed, and how to deploy it is not known: pass `firstOwner`. */
  | 'UNKNOWN_FIRST_OWNER'
  /** The wallet client has no account. */
  | 'NO_OWNER'
  /** The call data is not this account's. */
  | 'NOT_CALLS'

/** Nothing was signed, or what was signed is of no use to the account. */
export class SigningError extends Error {
  override readonly name = 'SigningError'
  readonly code: SigningErrorCode

  constructor(code: SigningErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
