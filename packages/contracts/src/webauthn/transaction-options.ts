import { z } from 'zod'
import { reservingWithOrder } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { buildErrors, operationRequest, operationTerms } from '../smart-account/operation-request.ts'
import { userOp } from '../smart-account/user-op.ts'
import { requestOptions } from './options.ts'

export const transactionOptions = endpoint({
  method: 'POST',
  path: '/v3/webauthn/transaction/generate-options',
  tag: 'Passkey accounts',
  bucket: 'builds',
  access: reservingWithOrder,
  idempotency: 'keyed',
  maxBody: 256,
  summary: 'Build a user operation for a passkey to sign',
  description: 'The challenge is the SafeOp hash of exactly these calls.',
  body: z.object({ username, ...operationRequest.shape }),
  output: z.object({
    ...requestOptions.shape,
    userOp: userOp.meta({
      description: 'The data whose hash is the challenge, so that a client can check it.',
    }),
    ...operationTerms.shape,
  }),
  errors: ['UNKNOWN_USER', ...buildErrors],
})
