import { type ByteArray, bytesToBigInt } from 'viem'
import { p256Order } from './assertOnP256.ts'

/**
 * r and s of an ECDSA signature in the DER of `AuthenticatorAssertionResponse.signature`
 * (`ECDSA-Sig-Value`, RFC 3279 §2.2.3): SEQUENCE of two INTEGERs. P-256 only, so every length is one byte.
 *
 * @returns undefined for anything else: another structure, trailing bytes, r or s not between 1 and n − 1.
 */
export function parseDerSignature(der: ByteArray): { r: bigint; s: bigint } | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  const r = readInteger(der, 2)
  const s = r && readInteger(der, r.end)
  if (!r || !s || s.end !== der.length) return undefined
  if (!isScalar(r.value) || !isScalar(s.value)) return undefined
  return { r: r.value, s: s.value }
}

/** Whether a number can be r or s of a P-256 signature. */
export function isScalar(value: bigint): boolean {
  return value > 0n && value < p256Order
}

function readInteger(der: ByteArray, offset: number): { value: bigint; end: number } | undefined {
  const length = der[offset + 1]
  const first = der[offset + 2]
  if (der[offset] !== 0x02 || length === undefined || first === undefined) return undefined
  const end = offset + 2 + length
  // 33: 32 bytes and the zero that keeps the number positive. A set high bit would make it negative.
  if (length < 1 || length > 33 || end > der.length || first > 0x7f) return undefined
  // X.690 §8.3.2: no zero in front that is not needed. Without this a signature would have several encodings.
  if (first === 0 && length > 1 && (der[offset + 3] ?? 0) <= 0x7f) return undefined
  return { value: bytesToBigInt(der.subarray(offset + 2, end)), end }
}
