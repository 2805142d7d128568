import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { requestOptions } from '../webauthn/options.ts'
import { idToken } from './fields.ts'

export const verify = endpoint({
  method: 'POST',
  path: '/login/identity/verify',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Find out whose login an ID token is: who signs in, with which passkeys',
  description:
    'A login names a user and proves nothing else. The answer has what the next step needs: options that name the passkeys of this user, for `/webauthn/authenticate/verify`, and a token that reads what an API key of scope `read` reads. That token ends with the ID token, after ten minutes at the latest. It signs nothing, changes nothing and adds no owner.',
  body: z.object({ idToken }),
  output: z.object({
    username: z.string(),
    token: z.string().meta({ description: 'JWT with `scope: "read"`.' }),
    expiresAt: z.iso.datetime(),
    passkeyAuthenticationOptions: requestOptions.nullable().meta({
      description: '`null`: an EOA signs for this user. Sign in with it by `POST /login/message`.',
    }),
  }),
  errors: ['IDENTITY_REFUSED', 'IDENTITY_PROVIDER_UNAVAILABLE', 'UNKNOWN_IDENTITY'],
})
