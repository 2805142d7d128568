import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { newUsername } from '../primitives/username.ts'
import { creationOptions } from './options.ts'

export const registerOptions = endpoint({
  method: 'GET',
  path: '/v3/webauthn/register/generate-options',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  summary: 'Start registering a passkey account',
  description:
    'Returns `PublicKeyCredentialCreationOptionsJSON`. Pass it to `startRegistration`. The challenge is valid for five minutes and one use.',
  query: z.object({ username: newUsername }),
  output: creationOptions,
  errors: ['USERNAME_TAKEN', 'USERNAME_REFUSED'],
  statuses: 'fixed',
})
