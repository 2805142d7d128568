import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  clientId,
  type LoginProvider,
  newFlow,
  redirectUri,
  startLoginProvider,
} from '../../../../test/identity/start-login-provider.ts'
import { createLogins, type Logins } from './logins.ts'

const secrets = ['the first secret of this installation, of 32 or more']
let provider: LoginProvider
let other: LoginProvider
beforeAll(async () => {
  provider = await startLoginProvider()
  other = await startLoginProvider()
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
})

const configured = (of: LoginProvider, more: object = {}) => ({
  ...{ issuer: of.issuer, name: 'Login', clientId, audiences: [clientId, 'phone'], scopes: 'openid' },
  ...{ clientSecret: undefined, claims: {}, ...more },
})
const open = (of: readonly ReturnType<typeof configured>[] = [configured(provider)], given = secrets) =>
  createLogins(of, { secrets: given, now: () => new Date() })

let logins: Logins
beforeEach(() => {
  provider.answers(undefined)
  provider.is('alice')
  logins = open()
})

const refusal = (reason: string) => expect.objectContaining({ code: 'IDENTITY_REFUSED', details: { reason } })
const away = expect.objectContaining({ code: 'IDENTITY_PROVIDER_UNAVAILABLE' })

describe('createLogins', () => {
  test('default: a login through the provider ends with an ID token that verifies', async () => {
    const { state, nonce, codeVerifier, codeChallenge } = newFlow()
    const { issuer } = provider
    const url = await logins.authorizationUrl({ issuer, redirectUri, state, nonce, codeChallenge })
    const back = await provider.browse(url)
    expect(back.searchParams.get('state')).toBe(state)
    const code = back.searchParams.get('code') ?? ''
    const idToken = await logins.exchange({ issuer, redirectUri, code, codeVerifier, nonce })
    const login = await logins.verify(idToken, nonce)
    expect(login).toEqual({
      ...{ issuer, expiresAt: expect.any(Date) },
      hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    })
    expect(JSON.stringify(login)).not.toContain('alice')
    // A code works once.
    await expect(logins.exchange({ issuer, redirectUri, code, codeVerifier, nonce })).rejects.toEqual(
      refusal('REFUSED'),
    )
  })

  test('error: REFUSED for a code with another verifier, NONCE for one of another login', async () => {
    const { issuer } = provider
    const begin = async () => {
      const flow = newFlow()
      const url = await logins.authorizationUrl({ issuer, redirectUri, ...flow })
      return { ...flow, code: (await provider.browse(url)).searchParams.get('code') ?? '' }
    }
    const first = await begin()
    const exchange = { issuer, redirectUri, code: first.code, nonce: first.nonce }
    await expect(logins.exchange({ ...exchange, codeVerifier: newFlow().codeVerifier })).rejects.toEqual(
      refusal('REFUSED'),
    )
    const second = await begin()
    await expect(
      logins.exchange({ issuer, redirectUri, ...second, nonce: newFlow().nonce }),
    ).rejects.toMatchObject({ code: 'IDENTITY_REFUSED' })
  })

  test('behavior: a request with another nonce does not make the service read the provider again', async () => {
    const { issuer } = provider
    const wrongly = async () => {
      const flow = newFlow()
      const url = await logins.authorizationUrl({ issuer, redirectUri, ...flow })
      const code = (await provider.browse(url)).searchParams.get('code') ?? ''
      const nonce = newFlow().nonce
      await expect(logins.exchange({ issuer, redirectUri, ...flow, code, nonce })).rejects.toThrow()
    }
    await wrongly()
    provider.requests.length = 0
    await wrongly()
    expect(provider.requests.filter((path) => path.includes('.well-known'))).toEqual([])
  })

  test('behavior: the same person has the same hash, another one or another provider has another', async () => {
    const both = open([configured(provider), configured(other)])
    const hashOf = async (of: LoginProvider, sub: string) =>
      (await both.verify(await of.forge({ sub }))).hashes[0]
    const alice = await hashOf(provider, 'alice')
    expect(await hashOf(provider, 'alice')).toBe(alice)
    expect(await hashOf(provider, 'bob')).not.toBe(alice)
    expect(await hashOf(other, 'alice')).not.toBe(alice)
  })

  test('behavior: after another secret, a login is still recognised by the one before', async () => {
    const idToken = await provider.forge()
    const [before] = (await logins.verify(idToken)).hashes
    const next = open([configured(provider)], ['the second secret of this installation, of 32+', ...secrets])
    const { hashes } = await next.verify(idToken)
    expect(hashes).toHaveLength(2)
    expect(hashes[1]).toBe(before)
  })

  test('behavior: a token serves until it expires, and for an hour at most', async () => {
    const seconds = provider.seconds()
    const long = await logins.verify(await provider.forge({ iat: seconds - 60, exp: seconds + 86_400 }))
    expect(long.expiresAt.getTime()).toBe((seconds - 60 + 3_600) * 1000)
    const short = await logins.verify(await provider.forge({ exp: seconds + 120 }))
    expect(short.expiresAt.getTime()).toBe((seconds + 120) * 1000)
  })

  test('behavior: accepts clocks that differ by half a minute', async () => {
    const seconds = provider.seconds()
    await logins.verify(await provider.forge({ iat: seconds + 20, nbf: seconds + 20, exp: seconds + 60 }))
    await logins.verify(await provider.forge({ iat: seconds - 60, exp: seconds - 20 }))
  })

  test('behavior: accepts any configured audience, and the party that asked if it is one', async () => {
    await logins.verify(await provider.forge({ aud: 'phone' }))
    await logins.verify(await provider.forge({ aud: [clientId, 'phone'], azp: 'phone' }))
  })

  test('behavior: requires the configured claims', async () => {
    const strict = open([configured(provider, { claims: { hd: 'corp.example', email_verified: true } })])
    await strict.verify(await provider.forge({ hd: 'corp.example', email_verified: true }))
    for (const claims of [{}, { hd: 'corp.example' }, { hd: 'evil.example', email_verified: true }])
      await expect(strict.verify(await provider.forge(claims))).rejects.toEqual(refusal('CLAIM'))
  })

  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const withHmac = (key: string | Buffer, claims: JWTPayload) => {
    const text = `${part({ alg: 'HS256', kid: 'first' })}.${part(claims)}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const pem = () =>
    createPublicKey({ key: provider.publicJwk() as never, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })

  test.each<[string, string, () => Promise<string> | string]>([
    ['has no signature', 'SIGNATURE', () => `${part({ alg: 'none' })}.${part(provider.claims())}.AA`],
    ['is signed with the public key as a secret', 'SIGNATURE', () => withHmac(pem(), provider.claims())],
    [
      'is signed with the public JWK as a secret',
      'SIGNATURE',
      () => withHmac(JSON.stringify(provider.publicJwk()), provider.claims()),
    ],
    [
      'is signed with another key',
      'SIGNATURE',
      () =>
        new SignJWT(provider.claims()).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(privateKey),
    ],
    [
      'brings its own key',
      'SIGNATURE',
      async () =>
        new SignJWT(provider.claims())
          .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) })
          .sign(privateKey),
    ],
    ['names an unknown key', 'SIGNATURE', () => provider.forge({}, { kid: 'none' })],
    ['is for another audience', 'AUDIENCE', () => provider.forge({ aud: 'another' })],
    ['is for others too', 'AUDIENCE', () => provider.forge({ aud: [clientId, 'another'] })],
    ['was issued to another party', 'AUDIENCE', () => provider.forge({ azp: 'another' })],
    ['is of a provider that is not configured', 'UNKNOWN_PROVIDER', () => other.forge()],
    ['names another issuer', 'UNKNOWN_PROVIDER', () => provider.forge({ iss: 'https://evil.example' })],
    ['names this issuer, and is signed by another', 'SIGNATURE', () => other.forge({ iss: provider.issuer })],
    ['has expired', 'EXPIRED', () => provider.forge({ exp: provider.seconds() - 31 })],
    [
      'is older than an hour',
      'EXPIRED',
      () => provider.forge({ iat: provider.seconds() - 3_700, exp: provider.seconds() + 300 }),
    ],
    ['is not valid yet', 'NOT_YET', () => provider.forge({ nbf: provider.seconds() + 60 })],
    ['was issued in the future', 'NOT_YET', () => provider.forge({ iat: provider.seconds() + 60 })],
    ['never ends', 'MALFORMED', () => provider.forge({}, {}, ['exp'])],
    ['does not say when it was issued', 'MALFORMED', () => provider.forge({}, {}, ['iat'])],
    ['names no person', 'MALFORMED', () => provider.forge({}, {}, ['sub'])],
    ['names a person with other letters', 'MALFORMED', () => provider.forge({ sub: 'ä\n' })],
    ['is an access token', 'MALFORMED', () => provider.forge({}, { typ: 'at+jwt' })],
    [
      'ends a session',
      'MALFORMED',
      () => provider.forge({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    ],
    ['is no JSON', 'MALFORMED', () => 'AA.AA.AA'],
  ])('error: a token that %s: %s', async (_, reason, make) => {
    await expect(logins.verify(await make())).rejects.toEqual(refusal(reason))
  })

  test('error: NONCE for a token that was not issued for this act', async () => {
    await logins.verify(await provider.forge({ nonce: 'this' }), 'this')
    await expect(logins.verify(await provider.forge({ nonce: 'that' }), 'this')).rejects.toEqual(
      refusal('NONCE'),
    )
    await expect(logins.verify(await provider.forge(), 'this')).rejects.toEqual(refusal('NONCE'))
  })

  test('behavior: no error carries who the person is', async () => {
    const seconds = provider.seconds()
    for (const claims of [{ exp: seconds - 90 }, { aud: 'x' }, { iat: seconds + 99 }, { azp: 'x' }]) {
      const error = await logins
        .verify(await provider.forge({ sub: 'a-very-secret-subject', ...claims }))
        .then(
          () => undefined,
          (reason: Error) => reason,
        )
      expect(error).toBeDefined()
      const shown = JSON.stringify([error, error?.cause, error?.stack])
      expect(shown).not.toContain('a-very-secret-subject')
    }
  })
})

describe('keys', () => {
  const count = (path: RegExp) => provider.requests.filter((one) => path.test(one)).length

  test('behavior: a key that the provider has replaced is read once it is seen, and the old one ends', async () => {
    const old = await provider.forge()
    const before = open()
    await before.verify(old)
    await provider.rotateKey('second')
    // A process that has just started; one that read the keys ten seconds ago does the same.
    const after = open()
    await after.verify(await provider.forge())
    await expect(after.verify(old)).rejects.toEqual(refusal('SIGNATURE'))
  })

  test('behavior: a hundred tokens with invented keys cause one read', async () => {
    const storm = open()
    await storm.verify(await provider.forge())
    const before = count(/jwks/)
    const tokens = await Promise.all(
      Array.from({ length: 100 }, (_, index) => provider.forge({}, { kid: `made-up-${index}` })),
    )
    const results = await Promise.allSettled(tokens.map((one) => storm.verify(one)))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(count(/jwks/) - before).toBeLessThanOrEqual(1)
    await storm.verify(await provider.forge())
  })

  test('behavior: a provider that fails is asked once in five seconds', async () => {
    provider.answers(() => ({ status: 503, body: '{}' }))
    const failing = open()
    const idToken = await provider.forge()
    const before = provider.requests.length
    for (let at = 0; at < 20; at++) await expect(failing.verify(idToken)).rejects.toEqual(away)
    expect(provider.requests.length - before).toBe(1)
  })

  test.each<[string, (path: string) => { status?: number; body: string } | 'hang' | undefined]>([
    ['whose keys fail', (path) => (/jwks/.test(path) ? { status: 500, body: '{}' } : undefined)],
    ['whose keys are no keys', (path) => (/jwks/.test(path) ? { body: '{"keys":7}' } : undefined)],
    ['whose keys are a page', (path) => (/jwks/.test(path) ? { body: '<html>' } : undefined)],
    [
      'whose keys never end',
      (path) => (/jwks/.test(path) ? { body: `{"keys":[],"x":"${'x'.repeat(600_000)}"}` } : undefined),
    ],
    ['whose keys hang', (path) => (/jwks/.test(path) ? 'hang' : undefined)],
    ['whose description hangs', (path) => (/openid-configuration/.test(path) ? 'hang' : undefined)],
    [
      'whose keys are elsewhere, without https',
      (path) =>
        /openid-configuration/.test(path)
          ? {
              body: JSON.stringify({
                issuer: provider.issuer,
                jwks_uri: 'http://192.0.2.1/latest/meta-data',
                authorization_endpoint: `${provider.issuer}/auth`,
              }),
            }
          : undefined,
    ],
  ])('error: IDENTITY_PROVIDER_UNAVAILABLE for a provider %s', async (_, answer) => {
    provider.answers(answer)
    await expect(open().verify(await provider.forge())).rejects.toEqual(away)
  })

  test('error: a description that names another issuer counts for nothing', async () => {
    provider.answers((path) =>
      /openid-configuration/.test(path)
        ? { body: JSON.stringify({ issuer: other.issuer, jwks_uri: `${other.issuer}/jwks` }) }
        : undefined,
    )
    await expect(open().verify(await other.forge({ iss: provider.issuer }))).rejects.toMatchObject({
      code: expect.stringMatching(/^IDENTITY_/),
    })
  })

  test('error: keys that are secrets verify nothing', async () => {
    const secret = Buffer.alloc(32, 7)
    const jwk = { kty: 'oct', k: secret.toString('base64url'), kid: 'first', alg: 'HS256' }
    provider.answers((path) => (/jwks/.test(path) ? { body: JSON.stringify({ keys: [jwk] }) } : undefined))
    const idToken = await new SignJWT(provider.claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(secret)
    await expect(open().verify(idToken)).rejects.toEqual(refusal('SIGNATURE'))
  })
})
