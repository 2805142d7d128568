import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { olderThan } from '../primitives/older-than.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { activityEntry } from '../wallet/activity.ts'
import { sessionKeyText } from './session-key.ts'

const spending = z.object({
  token: addressOutput.optional().meta({ description: 'Absent: the native token.' }),
  amount: decimalOutput.meta({ description: 'Base units.' }),
  to: addressOutput.meta({ description: 'Who received it, or was approved to take it.' }),
})

export const history = endpoint({
  method: 'GET',
  path: '/smart-account/session-key/history',
  tag: 'Session keys',
  bucket: 'reads',
  access: withKey,
  summary: 'What a session key did, newest first',
  description:
    'Returns the operations that the key signed and sent to this service, in every state, with what each of them spent. What is left of the limits: `GET /smart-account/session-key`. Operations that were sent without this service are not listed.',
  query: z.object({
    walletAddress,
    sessionKey: sessionKeyText,
    network: network.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(25).meta({ type: 'integer' }),
    ...olderThan('operation', { time: 'signedAt', id: 'userOpHash' }),
  }),
  output: z.object({
    history: z.array(
      activityEntry.extend({
        spent: z.array(spending).meta({
          description:
            'By its calls: the value that they send, and the tokens that they transfer or approve. If the operation was reverted or not included, it spent nothing.',
        }),
      }),
    ),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET'],
})
