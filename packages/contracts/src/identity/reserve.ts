import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { newUsername } from '../primitives/username.ts'
import { creationOptions } from '../webauthn/options.ts'
import { idToken } from './fields.ts'

export const reserve = endpoint({
  method: 'POST',
  path: '/login/identity/reserve',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Reserve a username for a login, and start the registration of its first passkey',
  description:
    'For a login that has no account. The name is reserved for fifteen minutes, and a login reserves one name. Pass the answer to `startRegistration`, let the provider issue an ID token over the new key (`identityNonce`), and send both to `/login/identity/register`.',
  body: z.object({ idToken, username: newUsername }),
  output: z.object({ options: creationOptions, reservedUntil: z.iso.datetime() }),
  errors: [
    'IDENTITY_REFUSED',
    'IDENTITY_PROVIDER_UNAVAILABLE',
    'IDENTITY_TAKEN',
    'USERNAME_TAKEN',
    'USERNAME_REFUSED',
  ],
})
