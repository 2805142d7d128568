/// <reference path="../console/oidc-provider.d.ts" />
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from '@lanyard/testing'
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import Provider from 'oidc-provider'

export const clientId = 'lanyard-wallet'
export const redirectUri = 'http://localhost:3000/login'

const text = (bytes: number) => Buffer.from(randomBytes(bytes)).toString('base64url')

/** What a page keeps of a login that it began. */
export const newFlow = (nonce = text(16)) => {
  const codeVerifier = text(32)
  return {
    ...{ state: text(16), nonce, codeVerifier },
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  }
}

/**
 * A certified OpenID Connect provider for users, on a port of this machine. Whoever comes is `person`, without a question. It can
 * also be taken over: then it signs whatever a test wants, with its own keys.
 */
export async function startLoginProvider({
  clientSecret,
  page = redirectUri,
}: {
  readonly clientSecret?: string
  /** Where it sends people back. */
  readonly page?: string
} = {}) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens
  const issuer = `http://127.0.0.1:${port}`
  let person = 'alice'
  let key: JWK & { kid: string }
  let provider: Provider
  const requests: string[] = []
  let answer: ((path: string) => { status?: number; body: string } | 'hang' | undefined) | undefined

  /** Another key; the one before signs nothing any more. */
  async function rotateKey(kid: string) {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    key = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          ...(clientSecret === undefined
            ? { token_endpoint_auth_method: 'none' }
            : { client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_basic' }),
          ...{ redirect_uris: [page], grant_types: ['authorization_code'], response_types: ['code'] },
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of cookies'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
      async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
        const grant = new provider.Grant({ clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid')
        await grant.save()
        return grant
      },
    })
  }
  await rotateKey('first')

  server.on('request', async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    requests.push(path)
    const other = answer?.(path)
    if (other === 'hang') return
    if (other) {
      return response.writeHead(other.status ?? 200, { 'content-type': 'application/json' }).end(other.body)
    }
    if (!path.startsWith('/interaction/')) return provider.callback()(request, response)
    await provider.interactionFinished(request, response, { login: { accountId: person } })
  })

  /** Follows the provider's redirects as a browser does, until it comes back to the page. */
  async function browse(start: string): Promise<URL> {
    let url = new URL(start)
    const jar = new Map<string, string>()
    for (let step = 0; step < 10; step++) {
      if (url.href.startsWith(page)) return url
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = line.split(';')[0]?.split('=', 2) ?? []
        jar.set(name, value)
      }
      const next = response.headers.get('location')
      if (next === null)
        throw new Error(`the provider shows a page: ${response.status} ${await response.text()}`)
      url = new URL(next, url)
    }
    throw new Error('the provider redirects too often')
  }

  const seconds = () => Math.floor(Date.now() / 1000)
  const claims = (): JWTPayload => ({
    ...{ iss: issuer, aud: clientId, sub: person, iat: seconds(), exp: seconds() + 300 },
  })

  return {
    ...{ issuer, rotateKey, browse, requests, claims, seconds },
    is(sub: string) {
      person = sub
    },
    answers(next: typeof answer) {
      answer = next
    },
    publicJwk: () => {
      const { kty, n, e, kid, alg, use } = key
      return { kty, n, e, kid, alg, use }
    },
    /** An ID token as somebody makes it who has the provider's key. */
    async forge(
      more: JWTPayload & { readonly nonce?: string | undefined } = {},
      header: Partial<JWTHeaderParameters> = {},
      without: readonly string[] = [],
    ): Promise<string> {
      const all = Object.entries({ ...claims(), ...more })
      return new SignJWT(Object.fromEntries(all.filter(([name]) => !without.includes(name))))
        .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header })
        .sign(await importJWK(key, 'RS256'))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type LoginProvider = Awaited<ReturnType<typeof startLoginProvider>>

/** The variables of a service that trusts these providers. */
export const identityEnvironment = (
  ...providers: readonly (Pick<LoginProvider, 'issuer'> & { readonly more?: object })[]
) => ({
  IDENTITY_PROVIDERS: JSON.stringify(
    providers.map(({ issuer, more }, index) => ({
      issuer,
      name: `Login ${index + 1}`,
      audience: clientId,
      ...more,
    })),
  ),
  IDENTITY_SECRETS: 'a-secret-of-this-installation-of-32-characters-or-more',
})
