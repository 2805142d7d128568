/** Bytes of r and of s on P-256. */
const scalarLength = 32

/**
 * An ECDSA signature as authenticators write it (DER, RFC 3279 §2.2.3) in the form that WebCrypto takes: r ‖ s, each
 * padded to 32 bytes (IEEE P1363). On P-256 no length in it needs more than one byte.
 *
 * @returns undefined for what is no such signature.
 */
export function toRawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const raw = new Uint8Array(2 * scalarLength)
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  let offset = 2
  for (const end of [scalarLength, 2 * scalarLength]) {
    const length = der[offset + 1]
    if (der[offset] !== 0x02 || length === undefined) return undefined
    const integer = der.subarray(offset + 2, offset + 2 + length)
    // A leading zero keeps the integer positive.
    const scalar = integer[0] === 0 ? integer.subarray(1) : integer
    if (integer.length !== length || scalar.length > scalarLength) return undefined
    raw.set(scalar, end - scalar.length)
    offset += 2 + length
  }
  return offset === der.length ? raw : undefined
}
