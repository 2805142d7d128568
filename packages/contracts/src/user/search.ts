import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'

export const search = endpoint({
  method: 'GET',
  path: '/api/user/search',
  tag: 'Users',
  summary: 'Find users by name or by wallet address',
  description:
    'Names that begin with the query first, then (from 3 characters) names that contain it, then addresses. At most 20 results.',
  query: z.object({
    query: z
      .string()
      .transform((value) => value.normalize('NFKC').trim())
      .pipe(z.string().min(2, 'Write at least 2 characters').max(128, 'At most 128 characters'))
      .meta({ type: 'string', minLength: 2, maxLength: 128, example: 'ali' }),
  }),
  output: z.object({
    result: z.array(z.object({ wallet_address: addressOutput, username: z.string() })),
    message: z.string(),
  }),
})
