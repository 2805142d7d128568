import { CodedError } from '@lanyard/onchain'

/** Errors in the use of this package. None of them comes from data sent by a third party. */
export type SessionKeysErrorCode =
  /** A number does not fit the on-chain type of its field. */
  | 'OUT_OF_RANGE'
  /** The bytes do not have the expected form: wrong length, wrong kind of key. */
  | 'MALFORMED'
  /** The operation is not exactly one `execute` of the session. */
  | 'NOT_A_SESSION_OPERATION'

/**
 * Thrown for programmer errors only. Results that depend on external data (permissions to compile, a revert
 * to explain) are returned as values instead, so that no caller can forget to check them.
 */
export class SessionKeysError extends CodedError<SessionKeysErrorCode> {
  override readonly name = 'SessionKeysError'
}
