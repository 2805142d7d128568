import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { username } from '../primitives/username.ts'
import { requestOptions } from './options.ts'

export const authenticateOptions = endpoint({
  method: 'GET',
  path: '/webauthn/authenticate/generate-options',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  summary: 'Begin to sign in with a passkey',
  query: z.object({ username }),
  output: z.object({ passkeyAuthenticationOptions: requestOptions }),
  errors: ['UNKNOWN_USER'],
})
