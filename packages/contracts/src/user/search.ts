import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'

const maxLength = 128

/** UTF-16 code units before normalisation: a character consists of up to four. */
const maxUnits = 4 * maxLength

const longMessage = `At most ${maxLength} characters`

export const search = endpoint({
  method: 'GET',
  path: '/api/user/search',
  tag: 'Users',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'Find users by name or by wallet address',
  description:
    'Returns names that begin with the query, then (from 3 characters) names that contain it, then addresses. At most 20 results.',
  query: z.object({
    query: z
      .string()
      .max(maxUnits, longMessage) // before it is normalised, as in a username
      .transform((value) => value.normalize('NFKC').trim())
      .pipe(
        z
          .string()
          .min(2, 'Write at least 2 characters')
          .max(maxLength, longMessage)
          // PostgreSQL does not accept NUL in text.
          .refine((value) => !value.includes('\0'), 'No name has this character'),
      )
      .meta({ type: 'string', minLength: 2, maxLength, example: 'ali' }),
  }),
  output: z.object({
    result: z.array(z.object({ wallet_address: addressOutput, username: z.string() })),
    message: z.string(),
  }),
})
