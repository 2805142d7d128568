import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { identity, idToken, nonceText } from './fields.ts'

export const link = endpoint({
  method: 'POST',
  path: '/login/identity/link',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: ofUser,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Link a login to the account of the signed-in user',
  description: `Needs the user's own token, from a passkey or an EOA. ${nonceText("the account's address")} So nobody links the login of another person. At most five logins for an account, and one account for a login. The same link again changes nothing.`,
  body: z.object({ idToken }),
  output: identity,
  errors: ['IDENTITY_REFUSED', 'IDENTITY_PROVIDER_UNAVAILABLE', 'IDENTITY_TAKEN', 'TOO_MANY_IDENTITIES'],
})
