import { type Hex, numberToHex } from 'viem'

/**
 * r ‖ s of an ECDSA signature in DER, as AWS and Google answer it: SEQUENCE of two INTEGERs (RFC 3279 §2.2.3). The integers
 * have a leading zero byte where their first bit is set, and none of their leading zeros otherwise.
 *
 * @returns undefined if it is none
 */
export function fromDer(der: Uint8Array): Hex | undefined {
  // Both integers have at most 33 bytes, so every length fits in one byte.
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  const [r, afterR] = readInteger(der, 2)
  const [s, end] = readInteger(der, afterR)
  if (r === undefined || s === undefined || end !== der.length) return undefined
  return `${numberToHex(r, { size: 32 })}${numberToHex(s, { size: 32 }).slice(2)}`
}

function readInteger(der: Uint8Array, at: number): readonly [bigint | undefined, number] {
  const length = der[at + 1]
  if (der[at] !== 0x02 || length === undefined || length < 1 || length > 33) return [undefined, at]
  const bytes = der.subarray(at + 2, at + 2 + length)
  if (bytes.length !== length || (bytes[0] ?? 0) >= 0x80 || (length === 33 && bytes[0] !== 0))
    return [undefined, at]
  return [BigInt(`0x${Buffer.from(bytes).toString('hex')}`), at + 2 + length]
}

/** SubjectPublicKeyInfo of a point of secp256k1, uncompressed (RFC 5480 §2.1.1.1, SEC 2 §2.4.1). */
const spkiPrefix = '3056301006072a8648ce3d020106052b8104000a034200'

/** The point of a SubjectPublicKeyInfo: `0x04`, x and y. @returns undefined if it is none of secp256k1 */
export function pointOfSpki(spki: Uint8Array): Hex | undefined {
  const [, point] =
    new RegExp(`^${spkiPrefix}(04[0-9a-f]{128})$`).exec(Buffer.from(spki).toString('hex')) ?? []
  return point === undefined ? undefined : `0x${point}`
}
