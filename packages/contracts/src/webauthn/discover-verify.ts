import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { assertion } from './assertion.ts'

export const discoverVerify = endpoint({
  method: 'POST',
  path: '/v3/webauthn/discover/verify',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Finish signing in without a username: verify the assertion',
  description: 'The assertion itself names the user.',
  body: assertion,
  output: z.object({
    message: z.string(),
    username: z.string(),
    token: z
      .string()
      .meta({ description: "JWT, valid for one hour. It gives access to the user's private data." }),
  }),
  errors: ['VERIFICATION_FAILED', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
