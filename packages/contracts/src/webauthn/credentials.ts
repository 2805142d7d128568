import { z } from 'zod'
import { ofUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { credential } from './credential.ts'

export const credentials = endpoint({
  method: 'GET',
  path: '/v3/webauthn/credentials',
  tag: 'Passkey accounts',
  bucket: 'calls',
  access: ofUser,
  scope: 'read',
  summary: "The user's passkeys",
  description: "Needs the user's token.",
  query: z.object({}),
  output: z.object({ credentials: z.array(credential) }),
})
