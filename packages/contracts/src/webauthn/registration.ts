import { z } from 'zod'
import { binary } from './binary.ts'

/** `RegistrationResponseJSON` (WebAuthn L3 §5.1). */
export const registration = z.object({
  id: binary,
  rawId: binary,
  type: z.literal('public-key').default('public-key'),
  authenticatorAttachment: z.string().nullish(),
  clientExtensionResults: z.looseObject({}).default({}),
  response: z.looseObject({ attestationObject: binary, clientDataJSON: binary }),
})
