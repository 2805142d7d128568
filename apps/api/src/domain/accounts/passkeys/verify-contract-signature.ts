import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  type Address,
  decodeAbiParameters,
  type Hash,
  type Hex,
  hexToBytes,
  numberToHex,
  size,
  slice,
} from 'viem'

/**
 * The only signature of a Safe, a contract signature (`encodeContractSignature`): the owner and the data for
 * it to verify.
 */
export interface ContractSignature {
  readonly signer: Address
  readonly data: Hex
}

/** signer (32) ‖ offset 65 (32) ‖ 0x00 ‖ length (32) */
const headSize = 97
const dynamicOffset = 65n

/** Undefined for anything else, including a second signature after the first. */
export function parseContractSignature(signatures: Hex): ContractSignature | undefined {
  if (size(signatures) <= headSize) return undefined
  const isCanonical =
    BigInt(slice(signatures, 0, 12)) === 0n &&
    BigInt(slice(signatures, 32, 64)) === dynamicOffset &&
    BigInt(slice(signatures, 64, 65)) === 0n &&
    BigInt(slice(signatures, 65, headSize)) === BigInt(size(signatures) - headSize)
  if (!isCanonical) return undefined
  return { signer: slice(signatures, 12, 32), data: slice(signatures, headSize) }
}

/** `WebAuthn.Signature` of Safe's passkey module; see `encodeAssertion` of @lanyard/accounts. */
const assertionParameters = [
  { type: 'bytes' },
  { type: 'bytes' },
  { type: 'uint256' },
  { type: 'uint256' },
] as const

const userVerified = 0x04
const flagsOffset = 32

/**
 * Whether a passkey signed a hash, by the same rules as its signer contract: a P-256 signature over the
 * authenticator data and the client data that the contract rebuilds.
 *
 * @param data - the data that the contract gets
 */
export function isPasskeySignature(hash: Hash, data: Hex, { x, y }: { x: bigint; y: bigint }): boolean {
  try {
    const [authenticatorData, fields, r, s] = decodeAbiParameters(assertionParameters, data)
    const challenge = Buffer.from(hash.slice(2), 'hex').toString('base64url')
    const clientData = Buffer.concat([
      Buffer.from(`{"type":"webauthn.get","challenge":"${challenge}",`),
      hexToBytes(fields),
      Buffer.from('}'),
    ])
    const authenticator = hexToBytes(authenticatorData)
    if (((authenticator[flagsOffset] ?? 0) & userVerified) === 0) return false
    const signed = Buffer.concat([authenticator, createHash('sha256').update(clientData).digest()])
    const bytes = (value: bigint) => Buffer.from(hexToBytes(numberToHex(value, { size: 32 })))
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: bytes(x).toString('base64url'),
        y: bytes(y).toString('base64url'),
      },
    })
    return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([bytes(r), bytes(s)]))
  } catch {
    return false // not an encoded assertion
  }
}
