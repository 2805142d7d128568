import {
  CodedError,
  type EncodeWebAuthnSignatureResult,
  type RecoverOwnerSignatureResult,
} from '@lanyard/accounts'

type Failed = Extract<EncodeWebAuthnSignatureResult | RecoverOwnerSignatureResult, { ok: false }>['code']

/** Why signing failed, or why the account would reject the signature. */
export type SigningErrorCode =
  | Failed
  /**
   * The account is not deployed, and the first owner that determines its deployment is unknown: pass
   * `firstOwner`.
   */
  | 'UNKNOWN_FIRST_OWNER'
  /** The wallet client has no account. */
  | 'NO_OWNER'
  /** The call data does not belong to this account. */
  | 'NOT_CALLS'

/** Nothing was signed, or the account cannot use the signature. */
export class SigningError extends CodedError<SigningErrorCode> {
  override readonly name = 'SigningError'
}
