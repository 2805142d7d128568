import { z } from 'zod'
import { binary } from './binary.ts'

/**
 * An assertion: the standard `AuthenticationResponseJSON`, or the interface's older form, in which
 * `attestationObject` carries the authenticator data. Every member is optional in the interface; what is
 * missing is found by the verification.
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
