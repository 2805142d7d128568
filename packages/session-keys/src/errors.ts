/** What a caller of this package can do wrong. None of these comes from data that somebody else sent. */
export type SessionKeysErrorCode =
  /** A number does not fit the on-chain type of its field. */
  | 'OUT_OF_RANGE'
  /** Bytes that cannot be what they are said to be: wrong length, wrong kind of key. */
  | 'MALFORMED'
  /** The operation is not exactly one `execute` of the session. */
  | 'NOT_A_SESSION_OPERATION'

/**
 * Thrown for programmer errors only. What depends on data from outside (permissions to compile, a revert to
 * explain) is answered as a value instead, so that no caller can forget to look at it.
 */
export class SessionKeysError extends Error {
  override readonly name = 'SessionKeysError'
  readonly code: SessionKeysErrorCode

  constructor(code: SessionKeysErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
