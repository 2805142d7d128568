import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { requestOptions } from './options.ts'

export const authenticateOptions = endpoint({
  method: 'GET',
  path: '/webauthn/authenticate/generate-options',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  summary: 'Start signing in with a passkey',
  description:
    'Returns the members of `PublicKeyCredentialRequestOptionsJSON`, at the top level and again under `passkeyAuthenticationOptions`. Pass either to `startAuthentication`. The challenge is valid for five minutes and one use.',
  query: z.object({ username }),
  output: z.object({ ...requestOptions.shape, passkeyAuthenticationOptions: requestOptions }),
  errors: ['UNKNOWN_USER'],
})
