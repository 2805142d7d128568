/** @module-tag all */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readEnv } from '../../platform/environment/env.ts'
import { ProviderRefusal, ProviderUnavailable } from '../../platform/open-id/answers.ts'
import { createIdentityProvider, type IdentityProvider, newFlowSecret } from './identity-provider.ts'
import { nameOfPerson, roleOfGroups } from './provider-sessions.ts'

const secret = 'the-secret-of-the-client'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' })

/** A provider that says whatever a test wants. */
const server = createServer()
let issuer = ''
let nonce = ''
let token: (claims: Record<string, unknown>) => Promise<string> | string
let tokenAnswer: (() => { status?: number; body: string }) | undefined
let userinfo: Record<string, unknown> | 'down' | undefined

const signed = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
const unsigned = (header: object, claims: object) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
const withHmac = (key: string | Buffer) => (claims: object) => {
  const text = unsigned({ alg: 'HS256', kid: 'one' }, claims)
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

const seconds = () => Math.floor(Date.now() / 1000)
const claims = () => ({
  ...{ iss: issuer, aud: 'lanyard', sub: 'alice', nonce, groups: ['admins'] },
  ...{ iat: seconds(), exp: seconds() + 300 },
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', async (request, response) => {
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const path = request.url?.split('?')[0]
    if (path === '/.well-known/openid-configuration') {
      return json({
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, userinfo_endpoint: `${issuer}/userinfo` },
        // A careless provider.
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      })
    }
    if (path === '/keys')
      return json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (path === '/userinfo')
      return userinfo === 'down' ? response.writeHead(503).end() : json(userinfo ?? {})
    const answer = tokenAnswer?.()
    if (answer)
      return response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(answer.body)
    return json({
      ...{ access_token: 'a', token_type: 'Bearer', refresh_token: 'r', expires_in: 60 },
      id_token: await token(claims()),
    })
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let provider: IdentityProvider
beforeEach(() => {
  token = signed
  tokenAnswer = undefined
  userinfo = undefined
  const settings = readEnv({
    ...{ CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: 'lanyard', CONSOLE_OIDC_CLIENT_SECRET: secret },
    CONSOLE_OIDC_ROLES: 'admins=admin',
  })
  provider = createIdentityProvider(settings, 'http://localhost:3100') as IdentityProvider // it is configured
})

async function signIn() {
  const flow = newFlowSecret()
  const { searchParams } = await provider.authorizationUrl(flow)
  nonce = searchParams.get('nonce') ?? ''
  return provider.signIn(`code=c&state=${searchParams.get('state')}`, flow)
}

test('asks for a code with PKCE, a state and a nonce that differ each time', async () => {
  const [one, two] = await Promise.all(
    [1, 2].map(async () =>
      Object.fromEntries((await provider.authorizationUrl(newFlowSecret())).searchParams),
    ),
  )
  expect(one).toMatchObject({
    ...{ response_type: 'code', code_challenge_method: 'S256', client_id: 'lanyard' },
    redirect_uri: 'http://localhost:3100/sso/callback',
  })
  const { state, nonce: first, code_challenge } = one ?? {}
  expect(new Set([state, first, code_challenge, two?.state, two?.nonce, two?.code_challenge]).size).toBe(6)
})

test('accepts an ID token of the provider', async () => {
  expect(await signIn()).toEqual({
    claims: { issuer, subject: 'alice', username: undefined, groups: ['admins'] },
    tokens: { refreshToken: 'r', idToken: expect.stringMatching(/^eyJ/) },
  })
})

test.each<[string, (claims: Record<string, unknown>) => Promise<string> | string]>([
  ['is signed with the secret of the client', withHmac(secret)],
  ['is signed with the public key as if it were a secret', withHmac(pem as string)],
  ['has no signature', (given) => `${unsigned({ alg: 'none' }, given)}.`],
  [
    'is signed with another key',
    (given) => new SignJWT(given).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(other.privateKey),
  ],
  [
    'brings its own key',
    async (given) => {
      const jwk = await exportJWK(other.publicKey)
      return new SignJWT(given).setProtectedHeader({ alg: 'RS256', jwk }).sign(other.privateKey)
    },
  ],
  ['is for another client', (given) => signed({ ...given, aud: 'another' })],
  [
    'is for several clients and another asked',
    (given) => signed({ ...given, aud: ['lanyard', 'x'], azp: 'x' }),
  ],
  ['is of another issuer', (given) => signed({ ...given, iss: 'https://evil.example' })],
  ['answers another sign-in', (given) => signed({ ...given, nonce: 'another' })],
  ['answers no sign-in', ({ nonce: _, ...given }) => signed(given)],
  ['has expired', (given) => signed({ ...given, iat: seconds() - 900, exp: seconds() - 60 })],
  ['is not valid yet', (given) => signed({ ...given, nbf: seconds() + 120 })],
  ['names nobody', ({ sub: _, ...given }) => signed(given)],
])('error: ProviderRefusal for an ID token that %s', async (_, given) => {
  token = given
  await expect(signIn()).rejects.toBeInstanceOf(ProviderRefusal)
})

test('accepts clocks that differ by half a minute', async () => {
  token = (given) => signed({ ...given, iat: seconds() + 20, nbf: seconds() + 20, exp: seconds() + 60 })
  await signIn()
  token = (given) => signed({ ...given, iat: seconds() - 60, exp: seconds() - 20 })
  await signIn()
})

test('reads groups at UserInfo if the ID token has none, and only of the same person', async () => {
  token = ({ groups: _, ...given }) => signed(given)
  userinfo = { sub: 'alice', groups: ['from-userinfo'], preferred_username: 'Al' }
  expect((await signIn()).claims).toMatchObject({ groups: ['from-userinfo'], username: 'Al' })
  userinfo = { sub: 'mallory', groups: ['admins'] }
  await expect(signIn()).rejects.toBeInstanceOf(ProviderRefusal)
})

test('error: ProviderRefusal without a refresh token, with the way out', async () => {
  tokenAnswer = () => ({
    body: JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: waiting }),
  })
  const flow = newFlowSecret()
  const { searchParams } = await provider.authorizationUrl(flow)
  nonce = searchParams.get('nonce') ?? ''
  const waiting = await signed(claims())
  await expect(provider.signIn(`code=c&state=${searchParams.get('state')}`, flow)).rejects.toThrow(
    /offline_access/,
  )
})

test.each([
  ['an error of its own', { status: 503, body: '{}' }, ProviderUnavailable],
  ['a page', { body: '<html>' }, ProviderUnavailable],
  ['more than it may', { body: `{"x":"${'x'.repeat(600_000)}"}` }, ProviderUnavailable],
  ['that the client is unknown', { status: 400, body: '{"error":"invalid_client"}' }, ProviderUnavailable],
  ['that the grant has ended', { status: 400, body: '{"error":"invalid_grant"}' }, ProviderRefusal],
])('a renewal is answered with %s', async (_, answer, expected) => {
  const { tokens } = await signIn()
  tokenAnswer = () => answer
  await expect(provider.renew(tokens, 'alice')).rejects.toBeInstanceOf(expected)
})

test('a renewal keeps the tokens that it does not replace, and names the same person', async () => {
  const { tokens } = await signIn()
  userinfo = { sub: 'alice', groups: ['later'] }
  tokenAnswer = () => ({ body: JSON.stringify({ access_token: 'b', token_type: 'Bearer' }) })
  expect(await provider.renew(tokens, 'alice')).toMatchObject({ tokens, claims: { groups: ['later'] } })
  tokenAnswer = undefined
  token = (given) => signed({ ...given, sub: 'mallory' })
  await expect(provider.renew(tokens, 'alice')).rejects.toBeInstanceOf(ProviderRefusal)
})

test('a renewal whose UserInfo does not answer says which tokens count now: those of before are used up', async () => {
  const { tokens } = await signIn()
  userinfo = 'down'
  token = ({ groups: _, ...given }) => signed(given)
  tokenAnswer = () => ({
    body: JSON.stringify({ access_token: 'b', token_type: 'Bearer', refresh_token: 'next' }),
  })
  await expect(provider.renew(tokens, 'alice')).rejects.toMatchObject({
    ...{ name: 'ProviderUnavailable', tokens: { refreshToken: 'next', idToken: tokens.idToken } },
  })
})

test.each(['', 'a'.repeat(256), 'a\u0000b', 'ä'])(
  'a subject that the standard forbids is refused: %j',
  async (sub) => {
    token = (given) => signed({ ...given, sub })
    await expect(signIn()).rejects.toBeInstanceOf(ProviderRefusal)
  },
)

test('the highest role of a person counts, and groups are compared as they are', () => {
  const mapping = [
    { group: 'a', role: 'viewer' },
    { group: 'b', role: 'admin' },
    { group: 'c', role: 'support' },
  ] as const
  expect(roleOfGroups(['a', 'b', 'c'], mapping)).toBe('admin')
  expect(roleOfGroups(['c', 'a', 'A'], mapping)).toBe('support')
  expect(roleOfGroups(['B', ' b', 'a,b'], mapping)).toBeUndefined()
})

test.each([
  ['alice@corp.example', /^alice\.[0-9a-f]{10}$/],
  ['<img src=x onerror=alert(1)>', /^img-src-x-onerror-alert-1\.[0-9a-f]{10}$/],
  ['管理者', /^operator\.[0-9a-f]{10}$/],
  ['../../etc', /^etc\.[0-9a-f]{10}$/],
  ['a'.repeat(500), /^a{40}\.[0-9a-f]{10}$/],
  [undefined, /^operator\.[0-9a-f]{10}$/],
])('the name of %s has letters of this house only, and its end is of one person', (username, expected) => {
  const of = (subject: string) => nameOfPerson({ issuer, subject, username, groups: [] })
  expect(of('1')).toMatch(expected)
  expect(of('1')).not.toBe(of('2'))
})
