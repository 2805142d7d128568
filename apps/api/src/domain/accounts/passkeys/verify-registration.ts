import { parseCosePublicKey } from '@lanyard/accounts'
import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import { bytesOfBase64Url, canonicalBase64Url, readTransports, type Transport } from './encodings.ts'
import { ceremonyOrigins, type RelyingParty } from './relying-party.ts'
import { verificationFailed, verifying } from './verification-failed.ts'

/** The body of a registration as the contract parses it: binary values in base64url. */
export interface RegistrationResponse {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly attestationObject: string
    readonly clientDataJSON: string
    readonly transports?: unknown
  }
}

/** A verified passkey that can be registered. */
export interface VerifiedCredential {
  /** base64url */
  readonly id: string
  /** COSE_Key */
  readonly publicKey: Uint8Array
  readonly x: bigint
  readonly y: bigint
  readonly counter: number
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly transports: readonly Transport[]
  readonly aaguid: string
}

/** COSE algorithm ES256, the one that the signer contracts verify. */
export const es256 = -7

/** WebAuthn L3 §7.1 step 25. */
const maxCredentialIdBytes = 1023

/**
 * The service requests no attestation. A client then sends none, or keeps a self attestation (WebAuthn L3
 * §5.1.3). The other formats carry certificates, and the library would fetch revocation lists from the URLs
 * in them.
 */
const attestationFormats: readonly string[] = ['none', 'packed']

/**
 * Verifies a registration (WebAuthn L3 §7.1). The caller checks that the challenge is known and unused, and
 * that the credential is not registered yet.
 *
 * @param isQuiet - a browser may have created it without a prompt (conditional create, WebAuthn L3 §5.1.3): its flags for presence and
 * verification are then not set. Every later signature needs both
 * @throws VERIFICATION_FAILED
 */
export async function verifyRegistration(
  relyingParty: RelyingParty,
  expectedChallenge: string,
  { id, rawId, type, response }: RegistrationResponse,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Promise<VerifiedCredential> {
  const credentialId = canonicalBase64Url(id)
  if (credentialId === '' || credentialId !== canonicalBase64Url(rawId)) {
    throw verificationFailed('id and rawId are not the same bytes.')
  }
  if (bytesOfBase64Url(credentialId).length > maxCredentialIdBytes) {
    throw verificationFailed('the credential id is longer than 1023 bytes.')
  }
  const { attestationObject, clientDataJSON } = response
  await verifying(() => assertFormat(attestationObject))

  const json: RegistrationResponseJSON = {
    id: credentialId,
    rawId: credentialId,
    type,
    clientExtensionResults: {},
    response: { attestationObject, clientDataJSON },
  }
  const { registrationInfo } = await verifying(() =>
    verifyRegistrationResponse({
      response: json,
      expectedChallenge,
      expectedOrigin: ceremonyOrigins(relyingParty),
      expectedRPID: relyingParty.rpId,
      requireUserPresence: !isQuiet,
      requireUserVerification: !isQuiet,
      supportedAlgorithmIDs: [es256],
    }),
  )
  if (!registrationInfo) throw verificationFailed("the attestation's signature is not valid.")
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo
  if (credential.id !== credentialId) {
    throw verificationFailed('the authenticator data is for another credential id.')
  }
  return {
    id: credentialId,
    publicKey: credential.publicKey,
    ...readPoint(credential.publicKey),
    counter: credential.counter,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
    transports: readTransports(response.transports),
    aaguid,
  }
}

function assertFormat(attestationObject: string): void {
  const bytes = bytesOfBase64Url(attestationObject)
  const decoded = decodeAttestationObject(bytes)
  // The library reads one CBOR item and ignores the bytes after it.
  if (isoCBOR.encode(decoded as Parameters<typeof isoCBOR.encode>[0]).length !== bytes.length) {
    throw verificationFailed('the attestation object has trailing bytes, or is not canonical CBOR.')
  }
  const format: unknown = decoded.get('fmt')
  if (typeof format !== 'string' || !attestationFormats.includes(format)) {
    throw verificationFailed('no attestation was requested, and this format is not accepted.')
  }
  const authenticatorData: unknown = decoded.get('authData')
  const statement: unknown = decoded.get('attStmt')
  if (!(authenticatorData instanceof Uint8Array) || !(statement instanceof Map)) {
    throw verificationFailed('the attestation object is malformed.')
  }
  if (statement.has('x5c')) {
    throw verificationFailed('no attestation was requested, and certificates are not accepted.')
  }
  // §8.2, self attestation: "validate that alg matches the algorithm of the credentialPublicKey".
  if (format === 'packed' && statement.get('alg') !== es256) {
    throw verificationFailed("the attestation's algorithm differs from the credential's.")
  }
}

function readPoint(publicKey: Uint8Array): { x: bigint; y: bigint } {
  try {
    return parseCosePublicKey(publicKey)
  } catch (error) {
    throw verificationFailed('the public key is not an ES256 key.', error)
  }
}
