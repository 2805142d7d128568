import { defaultVerifiers, type PasskeyOwner } from '@lanyard/accounts'
import { bytesToBigInt, bytesToHex } from 'viem'
import { fromBase64Url } from './base64url.ts'

/** SubjectPublicKeyInfo of an uncompressed P-256 point: 26 bytes of header, then 0x04 ‖ x ‖ y (RFC 5480 §2). */
const spkiLength = 91
const pointOffset = 26

/** The end of authenticator data that ends with a P-256 key: COSE_Key in CTAP2's canonical form (WebAuthn L3 §6.5.1.1). */
const coseKey = /^0xa5010203262001215820(?<x>[\da-f]{64})225820(?<y>[\da-f]{64})/

/** `authData` as a key of a CBOR map: a text of eight characters (RFC 8949 §3.1). */
const authDataKey = 'hauthData'

/**
 * The owner that corresponds to a new passkey. `computeAccountAddress` of this owner must equal the address that the service
 * returns. The key is the one that a browser reports (`getPublicKey()`, WebAuthn L3 §5.2.1.1), or that of the attestation:
 * passkey packages of phones report no key.
 *
 * @param registration - the result of the ceremony, as JSON
 * @returns undefined if it has no key in these forms, or the key is on another curve
 */
export function passkeyOwner({
  response: { publicKey, attestationObject },
}: {
  readonly response: {
    readonly publicKey?: string | null | undefined
    readonly attestationObject?: string | null | undefined
  }
}): PasskeyOwner | undefined {
  const point = read(publicKey, pointOfKey) ?? read(attestationObject, pointOfAttestation)
  return point && { kind: 'passkey', ...point, verifiers: defaultVerifiers }
}

/** Undefined for what is absent, or no base64url: some packages write null, or an encoding of their own. */
function read(
  text: string | null | undefined,
  pointOf: (bytes: Uint8Array) => Point | undefined,
): Point | undefined {
  if (!text || !/^[\w-]+={0,2}$/.test(text) || text.replaceAll('=', '').length % 4 === 1) return undefined
  return pointOf(fromBase64Url(text))
}

interface Point {
  readonly x: bigint
  readonly y: bigint
}

function pointOfKey(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== spkiLength || bytes[pointOffset] !== 4) return undefined
  return {
    x: bytesToBigInt(bytes.slice(pointOffset + 1, pointOffset + 33)),
    y: bytesToBigInt(bytes.slice(pointOffset + 33)),
  }
}

/**
 * `authData` is the last member of the object in canonical form. In it follow, after 32 bytes of hash, 1 of flags and 4 of
 * counter, 16 bytes of AAGUID and the credential ID with its length of 2 bytes (WebAuthn L3 §6.1, §6.5.1).
 */
function pointOfAttestation(bytes: Uint8Array): Point | undefined {
  const key = String.fromCharCode(...bytes).lastIndexOf(authDataKey)
  if (key < 0) return undefined
  // A byte string whose length is one byte (0x58) or two (0x59); shorter ones have no key.
  const head = { 88: 2, 89: 3 }[bytes[key + authDataKey.length] ?? 0]
  if (head === undefined) return undefined
  const authData = bytes.subarray(key + authDataKey.length + head)
  const [high = 0, low = 0] = authData.subarray(53, 55)
  const { x, y } = coseKey.exec(bytesToHex(authData.subarray(55 + high * 256 + low)))?.groups ?? {}
  return x && y ? { x: BigInt(`0x${x}`), y: BigInt(`0x${y}`) } : undefined
}
