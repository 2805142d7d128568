import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { credential } from './credential.ts'
import { registration } from './registration.ts'

export const credentialVerify = endpoint({
  method: 'POST',
  path: '/v3/webauthn/credential/verify',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: ofUser,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Finish registering another passkey',
  description: 'Needs the token of the same user as at the start.',
  query: z.object({
    label: z
      .string()
      .trim()
      .min(1)
      .max(64, 'At most 64 characters')
      .regex(/^\P{C}*$/u, 'A label has no control or invisible characters')
      .optional()
      .meta({ description: 'A name by which the user tells their passkeys apart.' }),
  }),
  body: registration,
  output: credential,
  errors: ['VERIFICATION_FAILED'],
})
