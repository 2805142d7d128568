import type { CredentialRow } from '@lanyard/database'
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server'
import { challengeLifetime } from './challenges.ts'
import { bytesOfBase64Url, readTransports, toUserHandle } from './encodings.ts'
import type { RelyingParty } from './relying-party.ts'
import { es256 } from './verify-registration.ts'

const describeCredential = ({ id, transports }: Pick<CredentialRow, 'id' | 'transports'>) => {
  const known = readTransports(transports)
  return { id, type: 'public-key' as const, ...(known.length > 0 && { transports: known }) }
}

interface CreationRequest {
  readonly user: { readonly id: string; readonly username: string }
  /** base64url */
  readonly challenge: string
  /** Existing passkeys of the user; an authenticator that holds one of them refuses. */
  readonly exclude: readonly Pick<CredentialRow, 'id' | 'transports'>[]
}

/** `PublicKeyCredentialCreationOptionsJSON`, for `startRegistration`. */
export async function creationOptions(
  { name, rpId }: RelyingParty,
  { user, challenge, exclude }: CreationRequest,
) {
  const options = await generateRegistrationOptions({
    rpName: name,
    rpID: rpId,
    userID: toUserHandle(user.id),
    userName: user.username,
    userDisplayName: user.username,
    challenge: bytesOfBase64Url(challenge),
    timeout: challengeLifetime,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: [es256],
  })
  const { challenge: encoded, pubKeyCredParams, timeout = challengeLifetime, attestation = 'none' } = options
  return {
    challenge: encoded,
    rp: { name, id: rpId },
    user: options.user,
    pubKeyCredParams,
    timeout,
    attestation,
    excludeCredentials: exclude.map(describeCredential),
    authenticatorSelection: { ...options.authenticatorSelection },
    extensions: { ...options.extensions },
  }
}

/** `PublicKeyCredentialRequestOptionsJSON`, for `startAuthentication`. */
export async function requestOptions(
  { rpId }: RelyingParty,
  {
    challenge,
    allow,
  }: { readonly challenge: string; readonly allow: readonly Pick<CredentialRow, 'id' | 'transports'>[] },
) {
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: bytesOfBase64Url(challenge),
    timeout: challengeLifetime,
    userVerification: 'required',
  })
  const { challenge: encoded, timeout = challengeLifetime, userVerification = 'required' } = options
  return {
    challenge: encoded,
    rpId,
    timeout,
    userVerification,
    allowCredentials: allow.map(describeCredential),
  }
}
