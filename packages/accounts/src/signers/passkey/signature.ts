import {
  type Address,
  type ByteArray,
  bytesToBigInt,
  bytesToHex,
  encodeAbiParameters,
  encodePacked,
  type Hash,
  type Hex,
  hexToBigInt,
  hexToBytes,
  size,
  stringToBytes,
  stringToHex,
} from 'viem'
import { type Failure, failure } from '../../result.ts'
import { defaultDeployment } from '../../safe/deployment.ts'
import { p256Order } from './public-key.ts'

/**
 * r and s of an ECDSA signature in the DER of `AuthenticatorAssertionResponse.signature`
 * (`ECDSA-Sig-Value`, RFC 3279 §2.2.3): SEQUENCE of two INTEGERs. P-256 only, so every length is one byte.
 *
 * @returns undefined for anything else: another structure, trailing bytes, r or s not between 1 and n − 1.
 */
export function parseDerSignature(der: ByteArray): { r: bigint; s: bigint } | undefined {
  const r = readInteger(der, 2)
  const s = readInteger(der, r.end)
  const isWhole = der[0] === 0x30 && der[1] === der.length - 2 && s.end === der.length
  return isWhole && isScalar(r.value) && isScalar(s.value) ? { r: r.value, s: s.value } : undefined
}

/** Whether a number can be r or s of a P-256 signature. */
export function isScalar(value: bigint): boolean {
  return value > 0n && value < p256Order
}

/** An INTEGER and its end offset. The value is 0, which is never a valid r or s, if there is no INTEGER. */
function readInteger(der: ByteArray, offset: number): { value: bigint; end: number } {
  const [tag, length = 0, first = 0xff, second = 0] = der.subarray(offset)
  const end = offset + 2 + length
  // A set high bit would make the number negative. X.690 §8.3.2 forbids unnecessary leading zeros; without
  // this check a signature would have several encodings.
  const isShortest = first <= 0x7f && (first !== 0 || second > 0x7f)
  const isInteger = tag === 0x02 && length > 0 && isShortest
  return { value: isInteger ? bytesToBigInt(der.subarray(offset + 2, end)) : 0n, end }
}

/**
 * base64url without padding (RFC 4648 §5), the encoding of a challenge in WebAuthn. For short values only.
 */
function base64UrlOf(bytes: ByteArray): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replaceAll('=', '')
}

type ParseClientDataResult =
  | { readonly ok: true; readonly fields: Hex }
  | Failure<
      /** Not the JSON of an assertion (`"type":"webauthn.get"`). */
      | 'MALFORMED_CLIENT_DATA'
      /** The assertion is over something other than this operation. */
      | 'CHALLENGE_MISMATCH'
      /** A valid assertion whose members are not in the order that the contract rebuilds. */
      | 'CLIENT_DATA_ORDER'
    >

/**
 * The middle of a `clientDataJSON`, the only part that goes on chain. Safe's WebAuthn library rebuilds
 * `{"type":"webauthn.get","challenge":"…",` ‖ fields ‖ `}` and hashes that, so an assertion is valid only if
 * the authenticator follows the serialization of WebAuthn L3 §5.8.1.1 byte for byte.
 *
 * @returns the bytes between the prefix and the closing brace.
 */
function parseClientData(clientDataJSON: ByteArray, hash: Hash): ParseClientDataResult {
  const claimed = readTypeAndChallenge(clientDataJSON)
  if (claimed.type !== 'webauthn.get')
    return failure('MALFORMED_CLIENT_DATA', 'clientDataJSON is not the client data of an assertion.')
  const challenge = base64UrlOf(hexToBytes(hash))
  if (claimed.challenge !== challenge)
    return failure('CHALLENGE_MISMATCH', "The assertion's challenge is not the hash of this operation.")

  const prefix = stringToBytes(`{"type":"webauthn.get","challenge":"${challenge}",`)
  const startsWithPrefix = prefix.every((byte, index) => clientDataJSON[index] === byte)
  const last = clientDataJSON.length - 1
  if (!startsWithPrefix || clientDataJSON[last] !== '}'.charCodeAt(0))
    return failure(
      'CLIENT_DATA_ORDER',
      'The order of clientDataJSON does not follow WebAuthn L3 §5.8.1.1, so the account cannot verify it. Use another authenticator or browser.',
    )
  return { ok: true, fields: bytesToHex(clientDataJSON.subarray(prefix.length, last)) }
}

function readTypeAndChallenge(clientDataJSON: ByteArray): { type?: unknown; challenge?: unknown } {
  try {
    // Object() turns a value that is not an object (null, a number, a string) into one without these members.
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(clientDataJSON)))
  } catch {
    return {} // neither UTF-8 nor JSON
  }
}

/**
 * A Safe's contract signature (v = 0), as the only signature: pad32(signer) ‖ uint256 offset of the dynamic
 * part ‖ 0x00 ‖ uint256 length ‖ data (Safe.sol 1.4.1, `checkNSignatures`). The offset is 65: the dynamic
 * part directly follows the static part.
 */
export function encodeContractSignature(signer: Address, data: Hex): Hex {
  return encodePacked(
    ['uint256', 'uint256', 'uint8', 'uint256', 'bytes'],
    [hexToBigInt(signer), 65n, 0, BigInt(size(data)), data],
  )
}

/** The response of `navigator.credentials.get`, as bytes or hex. */
export interface WebAuthnAssertion {
  readonly authenticatorData: ByteArray | Hex
  readonly clientDataJSON: ByteArray | Hex
  /** DER as the browser returns it, or its two numbers. */
  readonly signature: ByteArray | Hex | { readonly r: bigint; readonly s: bigint }
}

export type EncodeWebAuthnSignatureResult =
  | { readonly ok: true; readonly signature: Hex }
  | Exclude<ParseClientDataResult, { ok: true }>
  | Failure<
      /** Not the DER of a P-256 signature. */
      | 'MALFORMED_SIGNATURE'
      /** Shorter than WebAuthn's 37 bytes. */
      | 'MALFORMED_AUTHENTICATOR_DATA'
      /** The authenticator did not verify the user, which the signer contract requires. */
      | 'USER_NOT_VERIFIED'
    >

/** WebAuthn L3 §6.1: rpIdHash (32) ‖ flags (1) ‖ signCount (4) ‖ … */
const flagsOffset = 32
const minimumLength = 37
const userVerified = 0x04

/**
 * Encodes a passkey's assertion as the contract signature that a Safe verifies: {@link encodePasskeySignature} with the owner in
 * front.
 *
 * @param parameters.hash the SafeOp hash, which must be the challenge.
 * @param parameters.signer the owner that verifies it: the shared signer of an account created with this
 * passkey (default), or the address from `computeSignerAddress` of a passkey added later.
 */
export function encodeWebAuthnSignature({
  hash,
  assertion,
  signer = defaultDeployment.sharedSigner,
}: {
  hash: Hash
  assertion: WebAuthnAssertion
  signer?: Address
}): EncodeWebAuthnSignatureResult {
  const encoded = encodePasskeySignature({ hash, assertion })
  return encoded.ok ? { ok: true, signature: encodeContractSignature(signer, encoded.signature) } : encoded
}

/**
 * Encodes a passkey's assertion as its signer contract takes it (ERC-1271). It checks everything that the
 * contract would reject except the curve arithmetic, so a rejection is explained before it costs gas.
 *
 * A second signature over the same hash is valid with (r, n − s): never use the bytes as an identity.
 *
 * @param parameters.hash what the contract is asked about, which must be the challenge.
 */
export function encodePasskeySignature({
  hash,
  assertion,
}: {
  hash: Hash
  assertion: WebAuthnAssertion
}): EncodeWebAuthnSignatureResult {
  const authenticatorData = bytesOf(assertion.authenticatorData)
  const flags = authenticatorData[flagsOffset] ?? 0
  if (authenticatorData.length < minimumLength)
    return failure('MALFORMED_AUTHENTICATOR_DATA', 'The authenticator data is shorter than 37 bytes.')
  if ((flags & userVerified) === 0)
    return failure('USER_NOT_VERIFIED', 'The authenticator did not verify the user (PIN or biometrics).')

  const clientData = parseClientData(bytesOf(assertion.clientDataJSON), hash)
  if (!clientData.ok) return clientData

  const rs = readSignature(assertion.signature)
  if (rs === undefined)
    return failure('MALFORMED_SIGNATURE', 'The signature is not a DER-encoded P-256 signature.')
  return {
    ok: true,
    signature: encodeAssertion({
      authenticatorData: bytesToHex(authenticatorData),
      fields: clientData.fields,
      ...rs,
    }),
  }
}

/**
 * `WebAuthn.Signature` of Safe's passkey module. `clientDataFields` is a Solidity `string`. Its ABI encoding
 * is the same as that of `bytes`, which can also hold invalid UTF-8.
 */
function encodeAssertion({
  authenticatorData,
  fields,
  r,
  s,
}: {
  authenticatorData: Hex
  fields: Hex
  r: bigint
  s: bigint
}): Hex {
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint256' }, { type: 'uint256' }],
    [authenticatorData, fields, r, s],
  )
}

function readSignature(signature: WebAuthnAssertion['signature']): { r: bigint; s: bigint } | undefined {
  if (typeof signature === 'string' || signature instanceof Uint8Array)
    return parseDerSignature(bytesOf(signature))
  return isScalar(signature.r) && isScalar(signature.s) ? { r: signature.r, s: signature.s } : undefined
}

function bytesOf(value: ByteArray | Hex): ByteArray {
  return typeof value === 'string' ? hexToBytes(value) : value
}

/**
 * 37 bytes: flags "user present" and "user verified". The other bytes are not zero, because nonzero calldata
 * costs most.
 */
const authenticatorData: Hex = `0x${'fe'.repeat(32)}05${'fe'.repeat(4)}`

/**
 * 256 bytes, where a browser writes 60 to 170: origin, crossOrigin and sometimes Chrome's reminder that other
 * keys can be added. That leaves room for an origin of 116 characters.
 */
const clientDataFields = stringToHex(
  `${'"origin":"https://stub.example","crossOrigin":false,"stub":"'.padEnd(255, 'x')}"`,
)

/** As long and as costly as a real signature, through the signer contract that represents the passkey. */
export const passkeyStub = (signer: Address): Hex =>
  encodeContractSignature(
    signer,
    // Both are in range (below n), and no key's signature over any real hash.
    encodeAssertion({
      authenticatorData,
      fields: clientDataFields,
      r: BigInt(`0x${'ec'.repeat(32)}`),
      s: BigInt(`0x${'d5a'.repeat(21)}f`),
    }),
  )
