import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { accountName } from '../smart-account/account-name.ts'
import { recoveryStatus } from './status-output.ts'

export const status = endpoint({
  method: 'GET',
  path: '/smart-account/recovery',
  tag: 'Owners',
  bucket: 'reads',
  access: withKey,
  summary: "Where an account's recoveries stand on each network",
  description:
    'Who the guardians are, who signed, and on each network whether a recovery runs, when it can be executed, and what it waits for.',
  query: z.object({ account: accountName }),
  output: recoveryStatus,
  errors: ['UNKNOWN_WALLET'],
})
