import { z } from 'zod'
import { ofNamedUser } from '../access.ts'
import { endpoint } from '../endpoint.ts'

export const credentialRemove = endpoint({
  method: 'POST',
  path: '/v3/webauthn/credential/remove',
  tag: 'Passkey accounts',
  bucket: 'builds',
  access: ofNamedUser,
  idempotency: 'keyed',
  summary: 'Forget a passkey, so that it no longer signs in',
  description:
    "Needs the user's token. The passkey must not own the wallet on any network: call `/smart-account/owner/remove` first.",
  body: z.object({
    credentialId: z.string().regex(/^[A-Za-z0-9_-]{1,1364}$/, 'Expected base64url'),
  }),
  output: z.object({ message: z.string() }),
  errors: ['UNKNOWN_CREDENTIAL', 'CREDENTIAL_IN_USE', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
