/** What a caller of this package can do wrong. None of these comes from data that somebody else sent. */
export type SmartBalanceErrorCode =
  /** A number does not fit the on-chain type of its field, or a list the count that stands before it. */
  | 'OUT_OF_RANGE'
  /** Bytes that cannot be what they are said to be: wrong length, not hex. */
  | 'MALFORMED'
  /** An attestor that signed twice, a network with two deposits: what must occur once. */
  | 'DUPLICATE'

/**
 * Thrown for programmer errors only. What depends on data from outside (an order to verify, an amount to plan for)
 * is answered as a discriminated union instead, so that no caller can forget to look at it.
 */
export class SmartBalanceError extends Error {
  override readonly name = 'SmartBalanceError'
  readonly code: SmartBalanceErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: SmartBalanceErrorCode,
    options: { message: string; details?: Readonly<Record<string, unknown>> },
  ) {
    super(options.message)
    this.code = code
    this.details = options.details ?? {}
  }
}
