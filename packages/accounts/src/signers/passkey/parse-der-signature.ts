import { type ByteArray, bytesToBigInt } from 'viem'
import { p256Order } from './assert-on-p256.ts'

/**
 * r and s of an ECDSA signature in the DER of `AuthenticatorAssertionResponse.signature`
 * (`ECDSA-Sig-Value`, RFC 3279 §2.2.3): SEQUENCE of two INTEGERs. P-256 only, so every length is one byte.
 *
 * @returns undefined for anything else: another structure, trailing bytes, r or s not between 1 and n − 1.
 */
export function parseDerSignature(der: ByteArray): { r: bigint; s: bigint } | undefined {
  const r = readInteger(der, 2)
  const s = readInteger(der, r.end)
  const isWhole = der[0] === 0x30 && der[1] === der.length - 2 && s.end === der.length
  return isWhole && isScalar(r.value) && isScalar(s.value) ? { r: r.value, s: s.value } : undefined
}

/** Whether a number can be r or s of a P-256 signature. */
export function isScalar(value: bigint): boolean {
  return value > 0n && value < p256Order
}

/** An INTEGER and its end offset. The value is 0, which is never a valid r or s, if there is no INTEGER. */
function readInteger(der: ByteArray, offset: number): { value: bigint; end: number } {
  const [tag, length = 0, first = 0xff, second = 0] = der.subarray(offset)
  const end = offset + 2 + length
  // A set high bit would make the number negative. X.690 §8.3.2 forbids unnecessary leading zeros; without
  // this check a signature would have several encodings.
  const isShortest = first <= 0x7f && (first !== 0 || second > 0x7f)
  const isInteger = tag === 0x02 && length > 0 && isShortest
  return { value: isInteger ? bytesToBigInt(der.subarray(offset + 2, end)) : 0n, end }
}
