import { encodeSignature, encodeWebAuthnSignature } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Address, Hash, Hex } from 'viem'
import { bytesOfBase64Url } from './base64url.ts'

/**
 * An assertion as the complete `userOp.signature`.
 *
 * @param signer - the owner that stands for the passkey
 * @throws VERIFICATION_FAILED, with the `reason`, for what the chain could not verify: clientDataJSON in another
 * order, no user verification, a signature that is no DER
 */
export function encodeAssertion(
  row: OperationRow,
  { response }: AuthenticationResponseJSON,
  signer: Address,
): Hex {
  const result = encodeWebAuthnSignature({
    hash: row.safe_op_hash as Hash, // the column holds 0x and 64 digits
    signer,
    assertion: {
      authenticatorData: bytesOfBase64Url(response.authenticatorData),
      clientDataJSON: bytesOfBase64Url(response.clientDataJSON),
      signature: bytesOfBase64Url(response.signature),
    },
  })
  if (!result.ok) {
    throw new LanyardError('VERIFICATION_FAILED', {
      message: result.message,
      details: { reason: result.code },
    })
  }
  const { valid_after: validAfter, valid_until: validUntil } = row
  return encodeSignature({ validAfter, validUntil, signatures: result.signature })
}
