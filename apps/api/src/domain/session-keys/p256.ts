import { webcrypto } from 'node:crypto'
import type { P256Key } from '@lanyard/session-keys'
import { type Hex, hexToBytes, numberToHex } from 'viem'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** WebCrypto takes bytes over an ArrayBuffer of their own alone. */
const bytesOf = (hex: Hex) => new Uint8Array(hexToBytes(hex))

/** The uncompressed point, SEC 1 section 2.3.3: 0x04 ‖ x ‖ y. */
const encodePoint = ({ x, y }: P256Key): Hex =>
  `0x04${numberToHex(x, { size: 32 }).slice(2)}${numberToHex(y, { size: 32 }).slice(2)}`

/** Undefined where the coordinates are no point of the curve. */
async function importKey(key: P256Key): Promise<webcrypto.CryptoKey | undefined> {
  try {
    return await webcrypto.subtle.importKey('raw', bytesOf(encodePoint(key)), algorithm, true, ['verify'])
  } catch {
    return undefined // WebCrypto, or viem for a coordinate over 256 bits, throws on what is no point
  }
}

/** Whether a key is a point of P-256: what is none could never sign. */
export const isOnCurve = async (key: P256Key): Promise<boolean> => (await importKey(key)) !== undefined

/**
 * Whether a P-256 key signed 32 bytes as WebCrypto does: over their SHA-256. A high s counts, as in the contract.
 *
 * @param signature - r ‖ s, 64 bytes
 */
export async function isSignedByP256(key: P256Key, hash: Hex, signature: Hex): Promise<boolean> {
  const publicKey = await importKey(key)
  if (!publicKey) return false
  const scheme = { name: 'ECDSA', hash: 'SHA-256' }
  return webcrypto.subtle.verify(scheme, publicKey, bytesOf(signature), bytesOf(hash))
}
