import { base64URLStringToBuffer } from '@simplewebauthn/browser'
import { bytesToBigInt } from 'viem'

/** A credential's P-256 point. */
export interface PasskeyPublicKey {
  readonly x: bigint
  readonly y: bigint
}

/** SubjectPublicKeyInfo of an uncompressed P-256 point: 26 bytes of header, then 0x04 ‖ x ‖ y (RFC 5480 §2). */
const spkiLength = 91
const pointOffset = 26

/**
 * The public key of a registration, as the browser reports it (`getPublicKey()`, WebAuthn L3 §5.2.1.1).
 *
 * @param spki base64url of the DER SubjectPublicKeyInfo.
 * @returns undefined where the browser does not report it, or the key is on another curve.
 */
export function parsePublicKey(spki: string | undefined): PasskeyPublicKey | undefined {
  if (spki === undefined) return undefined
  const bytes = new Uint8Array(base64URLStringToBuffer(spki))
  if (bytes.length !== spkiLength || bytes[pointOffset] !== 4) return undefined
  return {
    x: bytesToBigInt(bytes.slice(pointOffset + 1, pointOffset + 33)),
    y: bytesToBigInt(bytes.slice(pointOffset + 33)),
  }
}
