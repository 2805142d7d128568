import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'
import { guardianSetOutput } from '../recovery/status-output.ts'
import { accountName } from '../smart-account/account-name.ts'
import { guardianOutput } from './fields.ts'

const namedSet = z.object({
  hash: hexOutput.meta({ description: 'What the network stores. Zero: no guardians.' }),
  guardians: guardianSetOutput.optional().meta({
    description: 'Absent: this service does not know them, or there are none.',
  }),
})

export const list = endpoint({
  method: 'GET',
  path: '/smart-account/guardians',
  tag: 'Owners',
  bucket: 'builds',
  access: withKey,
  summary: "An account's guardians on each network",
  description:
    'Who they are, and on which networks each of them could sign a recovery today. An owner names guardians by a change of kind `setGuardians`: `POST /smart-account/ownership/prepare` and `submit`. If a recovery was started before, they count only from the end of its delay on: `next` says who and when.',
  query: z.object({ account: accountName }),
  output: z.object({
    account: addressOutput,
    username: z.string().optional(),
    module: addressOutput.optional(),
    networks: z.array(
      z.object({
        network: networkInteger,
        status: z.enum(['up', 'down', 'unsupported']),
        current: namedSet
          .extend({
            since: z.int().optional().meta({
              description: 'Unix seconds: when this service saw the change that set them in a block.',
            }),
          })
          .optional()
          .meta({ description: 'The guardians in force. Absent: none.' }),
        next: namedSet
          .extend({ from: z.int().meta({ description: 'Unix seconds.' }) })
          .optional()
          .meta({ description: 'The guardians who count from a later time on.' }),
      }),
    ),
    guardians: z.array(guardianOutput).meta({
      description: 'Each guardian in force or to come, and whether they could sign on each network today.',
    }),
  }),
  errors: ['UNKNOWN_WALLET'],
})
