import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { newUsername } from '../primitives/username.ts'
import { registerVerify } from '../webauthn/register-verify.ts'
import { registration } from '../webauthn/registration.ts'
import { idToken, nonceText } from './fields.ts'

export const register = endpoint({
  method: 'POST',
  path: '/login/identity/register',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  maxBody: 64,
  summary: 'Finish the registration of a login: its first passkey, and the account',
  description: `The ID token must be of the login that reserved the name. ${nonceText('the new public key and the challenge')} So a stolen token registers no passkey of a thief.`,
  body: z.object({ idToken, username: newUsername, ...registration.shape }),
  output: registerVerify.output,
  errors: [
    'IDENTITY_REFUSED',
    'IDENTITY_PROVIDER_UNAVAILABLE',
    'IDENTITY_TAKEN',
    'USERNAME_TAKEN',
    'USERNAME_REFUSED',
    'VERIFICATION_FAILED',
  ],
})
