import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { submission } from '../smart-account/submit.ts'
import { assertion } from './assertion.ts'

export const transactionVerify = endpoint({
  method: 'POST',
  path: '/v3/webauthn/transaction/verify',
  tag: 'Passkey accounts',
  summary: 'Submit the assertion over a built operation and wait for its inclusion',
  query: z.object({ username }),
  body: assertion,
  output: submission,
  errors: [
    'UNKNOWN_USER',
    'VERIFICATION_FAILED',
    'INVALID_SIGNATURE',
    'INSUFFICIENT_FUNDS',
    'FEE_TOO_LOW',
    'PAYMASTER_REFUSED',
    'OPERATION_REFUSED',
    'OPERATION_IN_FLIGHT',
    'REBUILD',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
    'INCLUSION_TIMEOUT',
  ],
})
