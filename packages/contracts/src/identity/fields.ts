import { z } from 'zod'

/** A token of a company with many groups has a few thousand characters. */
export const idToken = z
  .string()
  .max(16_384, 'At most 16384 characters')
  .regex(
    /^[\w-]+\.[\w-]+\.[\w-]+$/,
    'Expected a signed JWT: three parts of base64url, with dots between them',
  )
  .meta({
    description:
      'ID token of a provider in IDENTITY_PROVIDERS (OpenID Connect Core §2): signed, for an audience named there, and issued within the last hour.',
    example: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUifQ.c2lnbmF0dXJl',
  })

export const issuer = z.string().max(256, 'At most 256 characters').meta({
  description: 'The provider, as `logins` of `GET /brand` names it.',
  example: 'https://login.example',
})

export const codeText = z.string().min(1).max(4_096, 'At most 4096 characters')

/** RFC 7636 §4.1, §4.2; the same letters for state and nonce. */
export const unreserved = (min: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9._~-]{${min},128}$`), `Expected ${min} to 128 unreserved characters`)

/** A login that is linked to an account, as its owner sees it. */
export const identity = z
  .object({
    id: z.uuid().meta({ description: 'Names it here. It says nothing about the person at the provider.' }),
    issuer: z.string(),
    name: z.string().meta({ description: 'What the operator calls the provider.' }),
    linkedAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Identity' })

export const nonceText = (parts: string) =>
  `Its \`nonce\` must be \`identityNonce\` of @lanyard/accounts over ${parts}.`
