import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { codeText, issuer, unreserved } from './fields.ts'

export const exchange = endpoint({
  method: 'POST',
  path: '/login/identity/exchange',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  summary: 'Exchange the code of a login for its ID token',
  description:
    "The service asks the provider, so a page needs no connection to it, and the client's secret stays at the service. The token is verified before it is returned. Nothing is stored.",
  body: z.object({
    issuer,
    code: codeText,
    codeVerifier: unreserved(43),
    redirectUri: z.url().max(2_048).meta({ description: 'As at the start.' }),
    nonce: unreserved(22).meta({ description: 'As at the start. A token with another one is refused.' }),
  }),
  output: z.object({ idToken: z.string() }),
  errors: ['IDENTITY_REFUSED', 'IDENTITY_PROVIDER_UNAVAILABLE'],
})
