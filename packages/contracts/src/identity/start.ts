import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { issuer, unreserved } from './fields.ts'

export const start = endpoint({
  method: 'POST',
  path: '/login/identity/start',
  tag: 'Logins',
  bucket: 'ceremonies',
  access: withKey,
  idempotency: 'none',
  summary: 'Start a login at an identity provider: the address to send the browser to',
  description:
    'For pages: authorization code with PKCE (RFC 7636). The page makes `state`, `nonce` and the code verifier, keeps them in this tab, and compares `state` when the browser comes back. Nothing is stored. An app that has an ID token already needs neither this nor the next step.',
  body: z.object({
    issuer,
    redirectUri: z.url().max(2_048).meta({
      description: 'Of an origin in ORIGINS; `/login` there for the wallet. The provider must know it, too.',
      example: 'https://wallet.example/login',
    }),
    state: unreserved(22),
    nonce: unreserved(22),
    codeChallenge: unreserved(43).meta({ description: 'SHA-256 of the code verifier, base64url (S256).' }),
  }),
  output: z.object({ url: z.url() }),
  errors: ['IDENTITY_REFUSED', 'IDENTITY_PROVIDER_UNAVAILABLE'],
})
