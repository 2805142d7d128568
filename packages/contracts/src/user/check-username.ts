import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'

export const checkUsername = endpoint({
  method: 'GET',
  path: '/api/user/check-username',
  tag: 'Users',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'Whether a username exists',
  description:
    'Compares the literal name, ignoring case. A name may be unavailable even if it does not exist. The message then says so.',
  query: z.object({ username }),
  output: z.object({
    value: z.boolean().meta({ description: '`true` if a user has this name, ignoring case.' }),
    message: z
      .string()
      .meta({ description: 'Says whether the name exists, and whether a new user can take it.' }),
  }),
})
