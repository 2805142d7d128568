import { concat, type Hex, numberToHex } from 'viem'
import { assertUint } from '../../assert-uint.ts'

/** The contents of a user operation's `signature` for Safe4337Module. */
export interface OperationSignature {
  /** Unix seconds, uint48, 0: no bound. Must equal the value that was signed. */
  readonly validAfter: number
  /** Unix seconds, uint48, 0: no bound. Must equal the value that was signed. */
  readonly validUntil: number
  /** Signatures in the format of `Safe.checkSignatures`. */
  readonly signatures: Hex
}

/**
 * A user operation's `signature`: uint48 validAfter ‖ uint48 validUntil ‖ signatures (Safe4337Module 0.3.0,
 * `_getSafeOp`).
 *
 * @throws AccountsError OUT_OF_RANGE for a time over 48 bits.
 */
export function encodeSignature({ validAfter, validUntil, signatures }: OperationSignature): Hex {
  assertUint(BigInt(validAfter), 48, 'validAfter')
  assertUint(BigInt(validUntil), 48, 'validUntil')
  return concat([numberToHex(validAfter, { size: 6 }), numberToHex(validUntil, { size: 6 }), signatures])
}
