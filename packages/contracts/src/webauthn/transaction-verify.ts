import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { submitErrors } from '../smart-account/operation-request.ts'
import { submission } from '../smart-account/submit.ts'
import { assertion } from './assertion.ts'

export const transactionVerify = endpoint({
  method: 'POST',
  path: '/v3/webauthn/transaction/verify',
  tag: 'Passkey accounts',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  maxBody: 64,
  summary: 'Submit the assertion over a built operation and wait for its inclusion',
  description:
    'The challenge in the assertion names the operation. If it is not included in time, the answer is 504 with its hash, and the service continues to work on it.',
  query: z.object({ username }),
  body: assertion,
  output: submission,
  errors: ['UNKNOWN_USER', 'VERIFICATION_FAILED', ...submitErrors],
})
