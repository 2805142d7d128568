import type { PasskeyOwner } from '@lanyard/accounts'
import { base64URLStringToBuffer } from '@simplewebauthn/browser'
import { concat, hexToBytes, numberToBytes } from 'viem'
import { toRawSignature } from './der-signature.ts'

/** What of an assertion is signed, base64url. */
export interface AssertionResponse {
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
}

/**
 * Whether a passkey's key made an assertion, by this browser's own cryptography (WebAuthn L3 §7.2 steps 20 and 21).
 * Challenge and origin are the service's to check: here it only matters whose key the authenticator holds.
 */
export async function isSignedBy(
  { x, y }: Pick<PasskeyOwner, 'x' | 'y'>,
  assertion: AssertionResponse,
): Promise<boolean> {
  const read = (text: string) => new Uint8Array(base64URLStringToBuffer(text))
  const signature = toRawSignature(read(assertion.signature))
  if (!signature) return false
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const point = concat([hexToBytes('0x04'), numberToBytes(x, { size: 32 }), numberToBytes(y, { size: 32 })])
  const key = await crypto.subtle.importKey('raw', new Uint8Array(point), algorithm, false, ['verify'])
  const clientDataHash = new Uint8Array(await crypto.subtle.digest('SHA-256', read(assertion.clientDataJSON)))
  const signed = new Uint8Array(concat([read(assertion.authenticatorData), clientDataHash]))
  return crypto.subtle.verify(algorithm, key, signature, signed)
}
