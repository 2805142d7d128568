/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

interface Person {
  username?: string
  groups: readonly string[] | string
}

/** The client of the console there. */
export const client = { id: 'lanyard-console', secret: 'a-secret-of-the-console' } as const

async function newKey(id: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: id, alg: 'RS256', use: 'sig' }
}

/** The request is handled at once, and its answer is sent later. */
function sendLate(response: ServerResponse) {
  const end = response.end.bind(response) as (chunk: unknown) => ServerResponse // the provider ends with a body
  response.end = ((chunk: unknown) => {
    setTimeout(() => end(chunk), 4_000)
    return response
  }) as ServerResponse['end']
}

/** A certified OpenID Connect provider on a port of this machine. Whoever comes is `person`, without a question. */
export async function startProvider(origin: string) {
  const people = new Map<string, Person>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens
  const issuer = `http://127.0.0.1:${port}`
  let answers: 'well' | 'with an error' | 'after four seconds' = 'well'
  let person = ''
  let provider: Provider | undefined
  let requests = 0

  /** A provider that has another key, and the sessions of nobody. */
  async function rotateKey(id: string) {
    provider = new Provider(issuer, {
      clients: [
        {
          ...{ client_id: client.id, client_secret: client.secret },
          ...{ redirect_uris: [`${origin}/sso/callback`], post_logout_redirect_uris: [`${origin}/`] },
          ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
        },
      ],
      jwks: { keys: [await newKey(id)] },
      cookies: { keys: ['a key of cookies'] },
      claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
      // Claims are in the ID token, as most providers of companies have them.
      conformIdTokenClaims: false,
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      findAccount: (_: unknown, sub: string) => {
        const known = people.get(sub)
        if (!known) return undefined
        const { username, groups } = known
        return {
          accountId: sub,
          claims: () => ({ sub, groups, ...(username !== undefined && { preferred_username: username }) }),
        }
      },
      async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string } } }) {
        const grant = new (current().Grant)({ clientId: client.id, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid profile offline_access')
        await grant.save()
        return grant
      },
    })
  }
  const current = () => {
    if (!provider) throw new TypeError('the provider has not started')
    return provider
  }

  server.on('request', async (request, response) => {
    requests++
    if (answers === 'with an error') return response.writeHead(503).end('{}')
    if (answers === 'after four seconds') sendLate(response)
    if (!request.url?.startsWith('/interaction/')) return current().callback()(request, response)
    await current().interactionFinished(request, response, { login: { accountId: person } })
  })
  await rotateKey('first')

  return {
    ...{ issuer, people, rotateKey },
    requests: () => requests,
    /** Who signs in next. */
    is(sub: string, claims: Person) {
      people.set(sub, claims)
      person = sub
    },
    answer(next: typeof answers) {
      answers = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>
