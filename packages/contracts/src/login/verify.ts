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
  summary: 'Finish to sign in with an EOA: verify the signed message',
  description: 'Answers a token for the wallet that the message names. The message is used up by it.',
  body: z.object({
    message: z.string().max(4096, 'At most 4096 characters'),
    signature: hex.meta({ description: '65 bytes: personal_sign of the message as it is.' }),
  }),
  output: z.object({
    token: z.string().meta({ description: 'JWT, one hour; opens what is private to the user.' }),
  }),
  errors: ['VERIFICATION_FAILED', 'UNKNOWN_OWNER', 'NETWORK_UNAVAILABLE'],
})
