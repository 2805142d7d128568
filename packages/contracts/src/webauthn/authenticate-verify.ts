import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { assertion } from './assertion.ts'

export const authenticateVerify = endpoint({
  method: 'POST',
  path: '/webauthn/authenticate/verify',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  summary: 'Finish to sign in: verify the assertion',
  description: 'Answers a token for what is private to the user. The challenge is used up by it.',
  query: z.object({ username }),
  body: assertion,
  output: z.object({
    message: z.string(),
    token: z.string().meta({ description: 'JWT, one hour; opens what is private to the user.' }),
  }),
  errors: ['UNKNOWN_USER', 'VERIFICATION_FAILED'],
})
