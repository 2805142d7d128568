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
  summary: 'Start signing in without a username',
  description:
    'For discoverable passkeys: the authenticator offers its accounts for this site. It also works with conditional UI (autofill).',
  query: z.object({}),
  output: z.object({ passkeyAuthenticationOptions: requestOptions }),
})
