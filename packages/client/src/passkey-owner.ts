import { defaultVerifiers, type PasskeyOwner } from '@lanyard/accounts'
import { bytesToBigInt } from 'viem'
import { fromBase64Url } from './base64url.ts'

/** SubjectPublicKeyInfo of an uncompressed P-256 point: 26 bytes of header, then 0x04 ‖ x ‖ y (RFC 5480 §2). */
const spkiLength = 91
const pointOffset = 26

/**
 * The owner that corresponds to a new passkey, from the public key that the browser reports
 * (`getPublicKey()`, WebAuthn L3 §5.2.1.1). `computeAccountAddress` of this owner must equal the address that
 * the service returns.
 *
 * @param registration - the result of `startRegistration`
 * @returns undefined if the browser does not report the key, or the key is on another curve
 */
export function passkeyOwner(registration: {
  readonly response: { readonly publicKey?: string | undefined }
}): PasskeyOwner | undefined {
  const { publicKey } = registration.response
  if (publicKey === undefined) return undefined
  const bytes = fromBase64Url(publicKey)
  if (bytes.length !== spkiLength || bytes[pointOffset] !== 4) return undefined
  return {
    kind: 'passkey',
    x: bytesToBigInt(bytes.slice(pointOffset + 1, pointOffset + 33)),
    y: bytesToBigInt(bytes.slice(pointOffset + 33)),
    verifiers: defaultVerifiers,
  }
}
