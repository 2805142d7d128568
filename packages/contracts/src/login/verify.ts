import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hex } from '../primitives/hex.ts'

export const verify = endpoint({
  method: 'POST',
  path: '/login/verify',
  tag: 'Owners',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  summary: 'Finish signing in with an EOA: verify the signed message',
  description: 'Returns a token for the wallet that the message names. The message cannot be used again.',
  body: z.object({
    message: z.string().max(4096, 'At most 4096 characters'),
    signature: hex.meta({ description: '65 bytes: personal_sign of the unchanged message.' }),
  }),
  output: z.object({
    token: z
      .string()
      .meta({ description: "JWT, valid for one hour. It gives access to the user's private data." }),
  }),
  errors: ['VERIFICATION_FAILED', 'UNKNOWN_OWNER', 'NETWORK_UNAVAILABLE'],
})
