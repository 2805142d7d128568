import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { username } from '../primitives/username.ts'

export const details = endpoint({
  method: 'GET',
  path: '/user',
  tag: 'Users',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'A user, their wallet and its latest transactions',
  description: 'The name is compared ignoring case.',
  query: z.object({ username }),
  output: z
    .object({
      username: z.string(),
      wallet: z.object({ scw_address: addressOutput }),
      transactions: z
        .array(
          z.object({
            hash: hexOutput.meta({ description: "The transaction's hash." }),
            timestamp: z.iso.datetime().meta({ description: 'The time of the block, in UTC.' }),
            value: decimalOutput.meta({ description: 'The native value that the calls sent, in wei.' }),
          }),
        )
        .meta({ description: "The account's operations, newest first, at most 100." }),
    })
    .meta({ id: 'User' }),
  errors: ['UNKNOWN_USER'],
})
