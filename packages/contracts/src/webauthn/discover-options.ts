import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { requestOptions } from './options.ts'

export const discoverOptions = endpoint({
  method: 'GET',
  path: '/v3/webauthn/discover/generate-options',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: withKey,
  summary: 'Begin to sign in without a username',
  description:
    'For discoverable passkeys: the authenticator offers the accounts that it has here. Also for conditional UI (autofill).',
  query: z.object({}),
  output: z.object({ passkeyAuthenticationOptions: requestOptions }),
})
