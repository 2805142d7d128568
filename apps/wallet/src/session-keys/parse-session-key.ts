import type { SessionKey } from '@lanyard/session-keys'
import { hexToBigInt } from 'viem'
import { t } from '../i18n/t.ts'
import { parseAddress } from '../recipients/recipient.ts'

export type ParseSessionKeyResult =
  | { readonly ok: true; readonly key: SessionKey }
  | { readonly ok: false; readonly message: string }

/** y² = x³ − 3x + b over the field of p elements (SEC 2 v2.0 §2.4.2). */
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/**
 * Parses a key of an app's request: an address, or a P-256 public key as WebCrypto exports it in `raw` (0x04
 * ‖ x ‖ y). A point that is not on the curve is rejected, since nobody could sign with it.
 */
export function parseSessionKey(text: string): ParseSessionKeyResult {
  const typed = text.trim()
  if (typed === '') return reject(t('Enter the key that the app shows.'))
  const point = /^0x04([0-9a-fA-F]{64})([0-9a-fA-F]{64})$/.exec(typed)
  if (point) {
    const key = { x: hexToBigInt(`0x${point[1]}`), y: hexToBigInt(`0x${point[2]}`) }
    return isOnP256(key) ? { ok: true, key } : reject(t('A character was mistyped. Copy the key again.'))
  }
  if (typed.length > 42)
    return reject(t('A public key is 0x04 and 128 hexadecimal digits; an address has 40 after 0x.'))
  const parsed = parseAddress(typed)
  return parsed.ok ? { ok: true, key: parsed.address } : parsed
}

function isOnP256({ x, y }: { x: bigint; y: bigint }): boolean {
  return x < p && y < p && (y * y - (x * x * x - 3n * x + b)) % p === 0n
}

const reject = (message: string): ParseSessionKeyResult => ({ ok: false, message })
