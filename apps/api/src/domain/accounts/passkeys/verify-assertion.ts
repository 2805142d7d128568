import { parseDerSignature } from '@lanyard/accounts'
import type { CredentialRow } from '@lanyard/database'
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import { bytesOfBase64Url, isUserHandleOf } from './encodings.ts'
import { ceremonyOrigins, type RelyingParty } from './relying-party.ts'
import { verificationFailed, verifying } from './verification-failed.ts'

export interface VerifiedAssertion {
  readonly counter: number
  readonly backedUp: boolean
}

interface AssertionRequest {
  readonly relyingParty: RelyingParty
  /** The stored credential that the response names; `user_id` of whoever registered it. */
  readonly credential: Pick<CredentialRow, 'id' | 'user_id' | 'public_key' | 'counter' | 'backup_eligible'>
  readonly expectedChallenge: string
  readonly response: AuthenticationResponseJSON
}

/**
 * Verifies an assertion (WebAuthn L3 §7.2), for sign-in and for transactions. The caller checks that the
 * challenge is known and unused, and that the credential belongs to the user.
 *
 * @throws VERIFICATION_FAILED
 */
export async function verifyAssertion({
  relyingParty,
  credential,
  expectedChallenge,
  response,
}: AssertionRequest): Promise<VerifiedAssertion> {
  const { authenticatorData, userHandle, signature } = response.response
  // §7.2 step 6: a userHandle must be the user's, whether the user was known before the ceremony or
  // identified by it.
  if (userHandle !== undefined && !isUserHandleOf(userHandle, credential.user_id)) {
    throw verificationFailed('its userHandle belongs to another user.')
  }
  // The library ignores bytes after the two numbers, and an extra leading zero in one of them.
  if (!parseDerSignature(bytesOfBase64Url(signature))) {
    throw verificationFailed('the signature is not a DER-encoded P-256 signature.')
  }
  const { verified, authenticationInfo } = await verifying(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: ceremonyOrigins(relyingParty),
      expectedRPID: relyingParty.rpId,
      requireUserVerification: true,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(credential.public_key),
        counter: credential.counter,
      },
    }),
  )
  if (!verified) throw verificationFailed('the signature is not valid.')

  const { flags, credentialID } = parseAuthenticatorData(bytesOfBase64Url(authenticatorData))
  if (credentialID && Buffer.from(credentialID).toString('base64url') !== credential.id) {
    throw verificationFailed('the authenticator data is for another credential id.')
  }
  // §7.2 step 20: backup eligibility never changes, so this is not the credential that was registered.
  if (flags.be !== credential.backup_eligible) {
    throw verificationFailed('its backup eligibility differs from the registration.')
  }
  return { counter: authenticationInfo.newCounter, backedUp: flags.bs }
}
