import { encodeWebAuthnSignature } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Address, Hash, Hex } from 'viem'
import { bytesOfBase64Url } from './encodings.ts'

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
