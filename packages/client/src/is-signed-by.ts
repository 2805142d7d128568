import { type PasskeyOwner, parseDerSignature } from '@lanyard/accounts'
import { concat, numberToBytes } from 'viem'
import { fromBase64Url } from './base64url.ts'

/** The signed parts of an assertion, in base64url. */
export interface AssertionResponse {
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
}

/**
 * Whether a passkey's key made an assertion, verified on this device (WebAuthn L3 §7.2 steps 20 and 21). The
 * service checks challenge and origin; this function only checks which key the authenticator holds.
 */
export async function isSignedBy(
  { x, y }: Pick<PasskeyOwner, 'x' | 'y'>,
  assertion: AssertionResponse,
): Promise<boolean> {
  const signature = parseDerSignature(fromBase64Url(assertion.signature))
  if (!signature) return false
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const pad = (value: bigint) => numberToBytes(value, { size: 32 })
  const bytes = (...parts: readonly Uint8Array[]) => new Uint8Array(concat([...parts]))
  // SEC 1 §2.3.3: 0x04 ‖ x ‖ y.
  const point = bytes(Uint8Array.of(4), pad(x), pad(y))
  const key = await crypto.subtle.importKey('raw', point, algorithm, false, ['verify'])
  const clientDataHash = await crypto.subtle.digest('SHA-256', fromBase64Url(assertion.clientDataJSON))
  const signed = bytes(fromBase64Url(assertion.authenticatorData), new Uint8Array(clientDataHash))
  return crypto.subtle.verify(algorithm, key, bytes(pad(signature.r), pad(signature.s)), signed)
}
