import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { creationOptions } from './options.ts'

export const credentialOptions = endpoint({
  method: 'GET',
  path: '/v3/webauthn/credential/generate-options',
  tag: 'Passkey accounts',
  bucket: 'ceremonies',
  access: ofUser,
  summary: 'Start registering another passkey',
  description:
    "Needs the user's token. The new passkey can sign in at once. It owns the account only on networks where `/smart-account/owner/add` made it an owner.",
  query: z.object({}),
  output: creationOptions,
})
