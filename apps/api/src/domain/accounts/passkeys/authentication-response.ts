import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { bytesOfBase64Url, canonicalBase64Url } from './encodings.ts'
import { verificationFailed } from './verification-failed.ts'

/** The body of an assertion as the contract parses it: binary values in base64url, every field optional. */
export interface AssertionBody {
  readonly id?: string | undefined
  readonly rawId?: string | undefined
  readonly type?: string | undefined
  readonly response?:
    | {
        readonly authenticatorData?: string | undefined
        readonly attestationObject?: string | undefined
        readonly clientDataJSON?: string | undefined
        readonly signature?: string | undefined
        readonly userHandle?: string | null | undefined
      }
    | undefined
}

/**
 * Builds the standard's complete `AuthenticationResponseJSON` from the caller's fields.
 *
 * @throws VERIFICATION_FAILED naming what is missing
 */
export function toAuthenticationResponse(body: AssertionBody): AuthenticationResponseJSON {
  const { id, rawId, type = 'public-key', response } = body
  if (!id || !rawId) throw verificationFailed('id and rawId are missing.')
  const credentialId = canonicalBase64Url(id)
  if (credentialId === '' || credentialId !== canonicalBase64Url(rawId)) {
    throw verificationFailed('id and rawId are not the same bytes.')
  }
  if (type !== 'public-key') throw verificationFailed('its type is not public-key.')
  const { clientDataJSON, signature, userHandle } = response ?? {}
  const authenticatorData = response?.authenticatorData ?? authenticatorDataIn(response?.attestationObject)
  if (!clientDataJSON) throw verificationFailed('response.clientDataJSON is missing.')
  if (!authenticatorData) throw verificationFailed('response.authenticatorData is missing.')
  if (!signature) throw verificationFailed('response.signature is missing.')
  return {
    id: credentialId,
    rawId: credentialId,
    type,
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
  }
}

/** The interface's older form: `attestationObject` holds the authenticator data, raw or inside CBOR. */
function authenticatorDataIn(attestationObject: string | undefined): string | undefined {
  if (attestationObject === undefined) return undefined
  try {
    const inside: unknown = decodeAttestationObject(bytesOfBase64Url(attestationObject)).get('authData')
    if (inside instanceof Uint8Array) return Buffer.from(inside).toString('base64url')
  } catch {
    // Not a CBOR map: raw authenticator data begins with a hash, which may decode as anything or not at all.
  }
  return attestationObject
}
