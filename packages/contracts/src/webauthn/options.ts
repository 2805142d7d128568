import { z } from 'zod'

/** WebAuthn L3 §5.8.3, as JSON. */
const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})

/**
 * `PublicKeyCredentialCreationOptionsJSON` (WebAuthn L3 §5.1.9): pass it to `startRegistration` unchanged.
 */
export const creationOptions = z
  .object({
    challenge: z.string().meta({ description: 'base64url' }),
    rp: z.object({ name: z.string(), id: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int().optional(),
    attestation: z.string().optional(),
    excludeCredentials: z.array(credentialDescriptor).optional(),
    authenticatorSelection: z.looseObject({}).optional(),
    extensions: z.looseObject({}).optional(),
    hints: z.array(z.string()).optional(),
  })
  .meta({ id: 'CredentialCreationOptions' })

/**
 * `PublicKeyCredentialRequestOptionsJSON` (WebAuthn L3 §5.1.10): pass it to `startAuthentication` unchanged.
 */
export const requestOptions = z
  .object({
    challenge: z.string().meta({ description: 'base64url' }),
    rpId: z.string(),
    timeout: z.int().optional(),
    allowCredentials: z.array(credentialDescriptor).optional(),
    userVerification: z.string().optional(),
    extensions: z.looseObject({}).optional(),
    hints: z.array(z.string()).optional(),
  })
  .meta({ id: 'CredentialRequestOptions' })
