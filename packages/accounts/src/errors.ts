import { CodedError } from '@lanyard/onchain'

export { CodedError }

/** Errors in the use of this package. None of them comes from data that a user signed. */
export type AccountsErrorCode =
  /** A number does not fit the on-chain type of its field. */
  | 'OUT_OF_RANGE'
  /** The bytes do not have the expected form: wrong length, not hex, unknown structure. */
  | 'MALFORMED'
  /** A P-256 public key that is not on the curve: an account created with it could never be used. */
  | 'NOT_ON_CURVE'
  /** The address is not among the account's owners. */
  | 'NOT_AN_OWNER'
  /** Removing the only owner would lock the account forever. */
  | 'LAST_OWNER'
  /** Another program deployed the account: nothing here deploys it on a further network. */
  | 'NOT_DEPLOYABLE'

/**
 * Thrown for programmer errors only. Results that depend on a user's input (a signature, call data to verify)
 * are discriminated unions instead, so that no caller can forget to check them.
 */
export class AccountsError extends CodedError<AccountsErrorCode> {
  override readonly name = 'AccountsError'
}
