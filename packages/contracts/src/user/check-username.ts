import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'

export const checkUsername = endpoint({
  method: 'GET',
  path: '/api/user/check-username',
  tag: 'Users',
  summary: 'Whether a username exists',
  query: z.object({ username }),
  output: z.object({
    value: z.boolean().meta({ description: '`true` when the username exists.' }),
    message: z.string(),
  }),
})
