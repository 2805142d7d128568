import { z } from 'zod'
import { reservingWithOrder } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hexOutput } from '../primitives/hex.ts'
import { sessionKey } from '../session-key/session-key.ts'
import { namedAccount } from './account-kind.ts'
import { buildErrors, operationRequest, operationTerms } from './operation-request.ts'
import { signMode, signModes } from './sign-mode.ts'
import { userOp } from './user-op.ts'

export const build = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/build',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: reservingWithOrder,
  idempotency: 'keyed',
  maxBody: 256,
  summary: 'Build a user operation to sign',
  description:
    'Simulates the calls, estimates gas and chooses a nonce. Sign the 32 bytes of `messageToSign` and submit the signature within ten minutes. Until then a build does not own its nonce: if several builds have the same one, the first to be signed gets it.',
  body: z.object({
    ...namedAccount,
    ...operationRequest.shape,
    signMode: signMode.optional(),
    sessionKey: sessionKey
      .optional()
      .meta({ description: 'With signMode `SESSION_KEY`: the key whose session acts.' }),
  }),
  output: z.object({
    userOp,
    messageToSign: hexOutput.meta({ description: 'The SafeOp hash: 32 bytes.' }),
    signMode: z.enum(signModes),
    ...operationTerms.shape,
  }),
  errors: ['UNKNOWN_WALLET', ...buildErrors, 'NO_SESSION_KEYS', 'SESSION_REFUSED', 'UNKNOWN_SESSION'],
})
