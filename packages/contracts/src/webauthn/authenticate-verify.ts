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
  maxBody: 64,
  summary: 'Finish signing in: verify the assertion',
  description: "Returns a token for the user's private data. The challenge cannot be used again.",
  query: z.object({ username }),
  body: assertion,
  output: z.object({
    message: z.string(),
    token: z
      .string()
      .meta({ description: "JWT, valid for one hour. It gives access to the user's private data." }),
  }),
  errors: ['UNKNOWN_USER', 'VERIFICATION_FAILED', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
