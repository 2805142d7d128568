import type { ByteArray } from 'viem'

/**
 * base64url without padding (RFC 4648 §5), the encoding of a challenge in WebAuthn. For short values only.
 */
export function base64UrlOf(bytes: ByteArray): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replaceAll('=', '')
}
