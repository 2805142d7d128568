import { CodedError } from '@lanyard/onchain'

/** Errors in the use of this package. None of them comes from data sent by a third party. */
export type SmartBalanceErrorCode =
  /**
   * A number does not fit the on-chain type of its field, or a list is longer than its length field allows.
   */
  | 'OUT_OF_RANGE'
  /** The bytes do not have the expected form: wrong length, not hex. */
  | 'MALFORMED'
  /** A value that must be unique occurs twice, e.g. an attestor, or a network among the deposits. */
  | 'DUPLICATE'

/**
 * Thrown for programmer errors only. Results that depend on external data (an order to verify, an amount to
 * plan for) are discriminated unions instead, so that no caller can forget to check them.
 */
export class SmartBalanceError extends CodedError<SmartBalanceErrorCode> {
  override readonly name = 'SmartBalanceError'
}
