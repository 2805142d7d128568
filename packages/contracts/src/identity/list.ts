import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { identity } from './fields.ts'

export const list = endpoint({
  method: 'GET',
  path: '/login/identities',
  tag: 'Logins',
  bucket: 'calls',
  access: ofUser,
  scope: 'read',
  summary: 'The logins that are linked to the account of the signed-in user',
  description: "Needs the user's token.",
  query: z.object({}),
  output: z.object({ identities: z.array(identity) }),
})
