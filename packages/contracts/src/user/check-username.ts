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
  summary: 'Whether a username exists',
  description:
    'The literal name, ignoring case. A name may be unavailable although it does not exist; the message says so.',
  query: z.object({ username }),
  output: z.object({
    value: z.boolean().meta({ description: '`true` when a user has this name, ignoring case.' }),
    message: z.string().meta({ description: 'Says so, and also when a new user cannot take the name.' }),
  }),
})
