import { webcrypto } from 'node:crypto'
import type { P256Key } from '@lanyard/session-keys'
import { type Hex, hexToBytes, numberToHex } from 'viem'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** WebCrypto's types accept only bytes with their own ArrayBuffer. */
const bytesOf = (hex: Hex) => new Uint8Array(hexToBytes(hex))

/** The uncompressed point, SEC 1 section 2.3.3: 0x04 ‖ x ‖ y. */
const encodePoint = ({ x, y }: P256Key): Hex =>
  `0x04${numberToHex(x, { size: 32 }).slice(2)}${numberToHex(y, { size: 32 }).slice(2)}`

/** Undefined when the coordinates are not a point of the curve. */
async function importKey(key: P256Key): Promise<webcrypto.CryptoKey | undefined> {
  try {
    return await webcrypto.subtle.importKey('raw', bytesOf(encodePoint(key)), algorithm, true, ['verify'])
  } catch {
    return undefined // WebCrypto throws on coordinates that are not a point, and viem on more than 256 bits
  }
}

/** Whether a key is a point of P-256: any other key could never sign. */
export const isOnCurve = async (key: P256Key): Promise<boolean> => (await importKey(key)) !== undefined

/**
 * Whether a P-256 key signed 32 bytes as WebCrypto does: over their SHA-256. A high s is accepted, as in the
 * contract.
 *
 * @param signature - r ‖ s, 64 bytes
 */
export async function isSignedByP256(key: P256Key, hash: Hex, signature: Hex): Promise<boolean> {
  const publicKey = await importKey(key)
  if (!publicKey) return false
  const scheme = { name: 'ECDSA', hash: 'SHA-256' }
  return webcrypto.subtle.verify(scheme, publicKey, bytesOf(signature), bytesOf(hash))
}
