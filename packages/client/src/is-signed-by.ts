import { type PasskeyOwner, parseDerSignature } from '@lanyard/accounts'
import { concat, numberToBytes, sha256 } from 'viem'
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
 *
 * Not WebCrypto: phones have none in React Native.
 */
export async function isSignedBy(
  { x, y }: Pick<PasskeyOwner, 'x' | 'y'>,
  assertion: AssertionResponse,
): Promise<boolean> {
  const signature = parseDerSignature(fromBase64Url(assertion.signature))
  if (!signature) return false
  // Only a sign-in on a device that does not know the account needs the curve.
  const { p256 } = await import('@noble/curves/nist.js')
  const pad = (value: bigint) => numberToBytes(value, { size: 32 })
  // SEC 1 §2.3.3: 0x04 ‖ x ‖ y.
  const point = concat([Uint8Array.of(4), pad(x), pad(y)])
  const clientDataHash = sha256(fromBase64Url(assertion.clientDataJSON), 'bytes')
  const digest = sha256(concat([fromBase64Url(assertion.authenticatorData), clientDataHash]), 'bytes')
  // Authenticators sign with either s of a signature.
  return p256.verify(concat([pad(signature.r), pad(signature.s)]), digest, point, { lowS: false })
}
