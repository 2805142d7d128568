import { z } from 'zod'
import { binary } from './binary.ts'

/**
 * An assertion: the standard `AuthenticationResponseJSON`, or the interface's older form, in which
 * `attestationObject` contains the authenticator data. Every member is optional in the interface; the
 * verification detects missing ones.
 */
export const assertion = z.object({
  id: binary.optional(),
  rawId: binary.optional(),
  authenticatorAttachment: z.string().nullish(),
  clientExtensionResults: z.looseObject({}).default({}),
  type: z.string().optional(),
  response: z
    .object({
      authenticatorData: binary.optional(),
      attestationObject: binary.optional(),
      clientDataJSON: binary.optional(),
      signature: binary.optional(),
      userHandle: binary.nullish(),
    })
    .optional(),
})
