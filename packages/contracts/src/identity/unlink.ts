import { z } from 'zod'
import { ofNamedUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'

export const unlink = endpoint({
  method: 'POST',
  path: '/login/identity/unlink',
  tag: 'Logins',
  bucket: 'calls',
  access: ofNamedUser,
  idempotency: 'keyed',
  summary: 'Unlink a login from the account of the signed-in user',
  description:
    "Needs the user's own token. What this login asked of guardians is withdrawn with it. A token that reads, issued for this login before, ends within ten minutes.",
  body: z.object({ id: z.uuid().meta({ description: 'Of `GET /login/identities`.' }) }),
  output: z.object({ message: z.string() }),
  errors: ['UNKNOWN_IDENTITY'],
})
