import {
  type Address,
  type ByteArray,
  bytesToHex,
  encodeAbiParameters,
  type Hash,
  type Hex,
  hexToBytes,
} from 'viem'
import { type Failure, failure } from '../../result.ts'
import { safeDeployment } from '../../safe/deployment/deployment.ts'
import { encodeContractSignature } from './encode-contract-signature.ts'
import { type ParseClientDataResult, parseClientData } from './parse-client-data.ts'
import { isScalar, parseDerSignature } from './parse-der-signature.ts'

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
 * Encodes a passkey's assertion as the contract signature that a Safe verifies. It checks everything that the
 * contract would reject except the curve arithmetic, so a rejection is explained before it costs gas.
 *
 * A second signature over the same hash is valid with (r, n − s): never use the bytes as an identity.
 *
 * @param parameters.hash the SafeOp hash, which must be the challenge.
 * @param parameters.signer the owner that verifies it: the shared signer of an account created with this
 * passkey (default), or the address from `computeSignerAddress` of a passkey added later.
 */
export function encodeWebAuthnSignature({
  hash,
  assertion,
  signer = safeDeployment.sharedSigner,
}: {
  hash: Hash
  assertion: WebAuthnAssertion
  signer?: Address
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
    signature: encodeContractSignature(
      signer,
      encodeAssertion({ authenticatorData: bytesToHex(authenticatorData), fields: clientData.fields, ...rs }),
    ),
  }
}

/**
 * `WebAuthn.Signature` of Safe's passkey module. `clientDataFields` is a Solidity `string`. Its ABI encoding
 * is the same as that of `bytes`, which can also hold invalid UTF-8.
 */
export function encodeAssertion({
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
