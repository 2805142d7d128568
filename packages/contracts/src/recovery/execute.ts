import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { hash } from '../primitives/hex.ts'
import { accountName } from '../smart-account/account-name.ts'
import { recoveryStatus } from './status-output.ts'

export const execute = endpoint({
  method: 'POST',
  path: '/smart-account/recovery/execute',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Continue a recovery now: start it where it can be started, execute it where its delay has passed',
  description:
    'The service does both by itself. This call does not wait for its next attempt. The chain decides: before the delay has passed nothing can be executed.',
  body: z.object({
    account: accountName,
    messageToSign: hash.meta({
      description: 'The recovery.',
      example: `0x${'11'.repeat(32)}`,
    }),
  }),
  output: recoveryStatus,
  errors: ['UNKNOWN_WALLET', 'NO_OWNERSHIP', 'UNKNOWN_RECOVERY'],
})
