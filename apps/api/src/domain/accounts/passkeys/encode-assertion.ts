import { encodeSignature, encodeWebAuthnSignature } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Address, Hash, Hex } from 'viem'
import { bytesOfBase64Url } from './base64url.ts'

/**
 * Encodes an assertion as the complete `userOp.signature`.
 *
 * @param signer - the owner that represents the passkey on chain
 * @throws VERIFICATION_FAILED as {@link encodeOwnerAssertion}
 */
export function encodeAssertion(
  row: OperationRow,
  response: AuthenticationResponseJSON,
  signer: Address,
): Hex {
  const hash = row.safe_op_hash as Hash // the column holds 0x and 64 digits
  const { valid_after: validAfter, valid_until: validUntil } = row
  const signatures = encodeOwnerAssertion(hash, response, signer)
  return encodeSignature({ validAfter, validUntil, signatures })
}

/**
 * Encodes an assertion as `Safe.checkSignatures` takes it.
 *
 * @param hash - what was signed: the challenge
 * @param signer - the owner that represents the passkey on chain
 * @throws VERIFICATION_FAILED, with the `reason`, for what the chain cannot verify: clientDataJSON in another
 * order, no user verification, a signature that is not DER
 */
export function encodeOwnerAssertion(
  hash: Hash,
  { response }: AuthenticationResponseJSON,
  signer: Address,
): Hex {
  const result = encodeWebAuthnSignature({
    hash,
    signer,
    assertion: {
      authenticatorData: bytesOfBase64Url(response.authenticatorData),
      clientDataJSON: bytesOfBase64Url(response.clientDataJSON),
      signature: bytesOfBase64Url(response.signature),
    },
  })
  if (result.ok) return result.signature
  throw new LanyardError('VERIFICATION_FAILED', {
    message: result.message,
    details: { reason: result.code },
  })
}
