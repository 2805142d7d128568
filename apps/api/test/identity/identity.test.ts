/** @module-tag all */
import { identityNonce } from '@lanyard/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Authenticator, type CreationOptions, flag, type Tampering } from '../passkeys/authenticator.ts'
import { origin, type PasskeyService, startPasskeyService, transfer } from '../passkeys/passkey-service.ts'
import { registerLogin } from './identity-service.ts'
import {
  clientId,
  identityEnvironment,
  type LoginProvider,
  newFlow,
  redirectUri,
  startLoginProvider,
} from './start-login-provider.ts'

interface CreationAnswer {
  readonly options: CreationOptions
}

let provider: LoginProvider
let other: LoginProvider
let service: PasskeyService
beforeAll(async () => {
  provider = await startLoginProvider()
  other = await startLoginProvider()
  service = await startPasskeyService({
    environment: { ...identityEnvironment(provider, other), CREDENTIAL_IDS: 'hidden' },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
})

let count = 0
let sub: string
beforeEach(() => {
  count++
  sub = `person-${count}`
  provider.is(sub)
  provider.answers(undefined)
})
const nextName = () => `user${count}${'abcdefgh'[count % 8]}`

const verify = (idToken: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
  service.post<any>('/login/identity/verify', { idToken })

/** A user with a passkey, linked to `sub`. */
async function createLinked(name = nextName()) {
  const user = await service.register(name)
  const nonce = identityNonce({ act: 'link', account: user.address })
  const linked = await service.post<{ id: string }>(
    '/login/identity/link',
    { idToken: await provider.forge({ sub, nonce }) },
    user.token,
  )
  expect(linked).toMatchObject({ status: 200, body: { issuer: provider.issuer, name: 'Login 1' } })
  return { ...user, linkId: linked.body.id }
}

test('a login through the provider names the user, who then signs in with a passkey that it lists', async () => {
  const user = await createLinked()
  const { issuer } = provider
  const flow = newFlow()
  const started = await service.post<{ url: string }>('/login/identity/start', {
    ...{ issuer, redirectUri, state: flow.state, nonce: flow.nonce, codeChallenge: flow.codeChallenge },
  })
  const back = await provider.browse(started.body.url)
  const { body } = await service.post<{ idToken: string }>('/login/identity/exchange', {
    ...{ issuer, redirectUri, code: back.searchParams.get('code') },
    ...{ codeVerifier: flow.codeVerifier, nonce: flow.nonce },
  })
  const answer = await verify(body.idToken)
  expect(answer).toMatchObject({
    status: 200,
    body: {
      username: user.username,
      passkeyAuthenticationOptions: { allowCredentials: [{ id: user.passkey.id }] },
    },
  })
  // CREDENTIAL_IDS=hidden names them to nobody who only knows the username.
  const { body: anonymous } = await service.authenticateOptions(user.username)
  expect(anonymous.passkeyAuthenticationOptions.allowCredentials).toEqual([])
  const assertion = user.passkey.get(answer.body.passkeyAuthenticationOptions)
  expect(await service.authenticateVerify(user.username, assertion)).toMatchObject({ status: 200 })
})

test('the first passkey of a login is bound to its token, and the name is reserved meanwhile', async () => {
  const username = nextName()
  const reserve = async (of: string, name = username) =>
    service.post<{ options: never }>('/login/identity/reserve', {
      ...{ idToken: await provider.forge({ sub: of }), username: name },
    })
  expect(await reserve(sub)).toMatchObject({ status: 200 })
  // Neither another login nor a passkey begins with this name, nor with one that looks like it.
  expect((await reserve(`${sub}-rival`)).body.code).toBe('USERNAME_TAKEN')
  expect((await service.registerOptions(username)).body).toMatchObject({ code: 'USERNAME_TAKEN' })
  const { body: check } = await service.get(`/api/user/check-username?username=${username}`)
  expect(check).toMatchObject({ value: false, message: expect.stringContaining('unavailable') })
  const done = await registerLogin(service, provider, { username, passkey: new Authenticator(origin), sub })
  expect(done).toMatchObject({ status: 200, body: { username } })
  expect((await verify(await provider.forge({ sub }))).body).toMatchObject({ username })
  expect((await reserve(sub, `${username}x`)).body.code).toBe('IDENTITY_TAKEN')
})

test('a browser creates the first passkey of a login without a prompt, and no other', async () => {
  const username = nextName()
  const passkey = new Authenticator(origin)
  const tampering: Tampering = {
    authenticatorData: (parts) => {
      parts.flags &= ~(flag.up | flag.uv)
    },
  }
  const options = await service.registerOptions(username)
  const refused = await service.registerVerify(username, passkey.create(options.body, tampering))
  expect(refused).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
  const done = await registerLogin(service, provider, { username, passkey, sub, tampering })
  expect(done).toMatchObject({ status: 200, body: { username } })
  // It signs in with the person only.
  const { body } = await service.authenticateOptions(username)
  const absent = passkey.get(body.passkeyAuthenticationOptions, tampering)
  expect((await service.authenticateVerify(username, absent)).status).toBe(400)
  const present = passkey.get((await service.authenticateOptions(username)).body.passkeyAuthenticationOptions)
  expect((await service.authenticateVerify(username, present)).status).toBe(200)
})

test('a registration that began before a reservation does not take the name from it', async () => {
  const [username, later] = [nextName(), `${nextName()}later`]
  const reserve = async (of: string, name: string) =>
    service.post<CreationAnswer>('/login/identity/reserve', {
      ...{ idToken: await provider.forge({ sub: of }), username: name },
    })
  const passkey = new Authenticator(origin)
  const early = await service.registerOptions(username)
  const mine = await reserve(sub, username)
  // The login prefers another name, so the first one is free, and another login reserves it.
  expect(await reserve(sub, later)).toMatchObject({ status: 200 })
  expect(await reserve(`${sub}-rival`, username)).toMatchObject({ status: 200 })

  const { options } = mine.body
  const nonce = identityNonce({ act: 'register', passkey: passkey.point, challenge: options.challenge })
  const taken = { status: 400, body: { code: 'USERNAME_TAKEN' } }
  expect(
    await service.post('/login/identity/register', {
      ...passkey.create(options),
      ...{ username, idToken: await provider.forge({ sub, nonce }) },
    }),
  ).toMatchObject(taken)
  const plain = new Authenticator(origin).create(early.body)
  expect(await service.registerVerify(username, plain)).toMatchObject(taken)
  const rival = { username, passkey: new Authenticator(origin), sub: `${sub}-rival` }
  expect(await registerLogin(service, provider, rival)).toMatchObject({ status: 200, body: { username } })
})

test('a reservation lapses after fifteen minutes', async () => {
  const username = nextName()
  const idToken = await provider.forge({ sub })
  expect(await service.post('/login/identity/reserve', { idToken, username })).toMatchObject({ status: 200 })
  service.advance(15 * 60_000)
  expect(await service.registerOptions(username)).toMatchObject({ status: 200 })
  service.advance(-15 * 60_000)
})

test('error: a stolen token registers no passkey of a thief, and another login no reserved name', async () => {
  const username = nextName()
  const passkey = new Authenticator(origin)
  const stolen = await provider.forge({ sub })
  const { body } = await service.post<{ options: never }>('/login/identity/reserve', {
    idToken: stolen,
    username,
  })
  const registration = passkey.create(body.options)
  const register = (idToken: string) =>
    service.post('/login/identity/register', { ...registration, username, idToken })
  expect((await register(stolen)).body).toMatchObject({ code: 'IDENTITY_REFUSED', reason: 'NONCE' })
  const { challenge } = body.options as { challenge: string }
  const nonce = identityNonce({ act: 'register', passkey: passkey.point, challenge })
  expect((await register(await provider.forge({ sub: 'another', nonce }))).body.code).toBe(
    'VERIFICATION_FAILED',
  )
  // The passkey of somebody else with this challenge has another nonce.
  const foreign = identityNonce({ act: 'register', passkey: new Authenticator(origin).point, challenge })
  expect((await register(await provider.forge({ sub, nonce: foreign }))).body).toMatchObject({
    reason: 'NONCE',
  })
})

test('a token of the provider lists and reads until it expires, and moves nothing', async () => {
  const user = await createLinked()
  // The provider is taken over: it signs whatever a thief wants, with every nonce.
  const forge = (nonce?: string) => provider.forge({ sub, nonce })
  const { body } = await verify(await forge())
  const { token } = body
  expect(await service.get('/v3/webauthn/credentials', token)).toMatchObject({ status: 200 })
  expect(await service.get(`/wallet/ledger?walletAddress=${user.address}`, token)).toMatchObject({
    status: 200,
  })
  expect(await service.get('/login/identities', token)).toMatchObject({ status: 200 })

  // Everything that a user's own token is for.
  const refused = [
    await service.get('/v3/webauthn/credential/generate-options', token),
    await service.post(
      '/v3/webauthn/credential/verify',
      new Authenticator(origin).create({
        ...{ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: 'AAAA' } },
      }),
      token,
    ),
    await service.post('/v3/webauthn/credential/remove', { credentialId: user.passkey.id }, token),
    await service.post('/login/identity/unlink', { id: user.linkId }, token),
    await service.post(
      '/login/identity/link',
      { idToken: await forge(identityNonce({ act: 'link', account: user.address })) },
      token,
    ),
  ]
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
  // Adding an owner answers builds, which only an owner's signature makes an operation.
  const owner = await service.post(
    '/smart-account/owner/add',
    { walletAddress: user.address, credentialId: user.passkey.id },
    token,
  )
  expect(owner.status).toBe(403)
  // A build of anybody's is public, and worth nothing: the passkey of the thief does not own the account.
  const thief = new Authenticator(origin)
  const options = await service.transactionOptions({
    ...{ username: user.username, network: '31337', transactionDetails: transfer() },
  })
  expect((await service.transactionVerify(user.username, thief.get(options.body))).body.code).toBe(
    'VERIFICATION_FAILED',
  )
  // Nor does it sign in.
  const listed = body.passkeyAuthenticationOptions
  expect((await service.authenticateVerify(user.username, thief.get(listed))).body.code).toBe(
    'VERIFICATION_FAILED',
  )
  // Nor does the login register a second account or take the linked one's name.
  expect(
    (await registerLogin(service, provider, { username: `${user.username}2`, passkey: thief, sub })).body
      .code,
  ).toBe('IDENTITY_TAKEN')
  expect(await service.chain.getBalance({ address: user.address })).toBe(10n ** 19n)

  service.advance(10 * 60_000 + 1_000)
  expect((await service.get('/v3/webauthn/credentials', token)).status).toBe(401)
  service.advance(-(10 * 60_000 + 1_000))
})

test('the token that reads ends with the ID token', async () => {
  await createLinked()
  const { body } = await verify(await provider.forge({ sub, exp: provider.seconds() + 60 }))
  expect(new Date(body.expiresAt).getTime()).toBeLessThanOrEqual((provider.seconds() + 60) * 1000)
})

test('error: nobody links a login that they stole a token of, nor one of another account', async () => {
  const victim = await createLinked()
  const thief = await service.register(`${nextName()}thief`)
  const link = (idToken: string, token?: string) => service.post('/login/identity/link', { idToken }, token)
  const unlinked = await provider.forge({ sub: `${sub}-unlinked` })
  expect((await link(unlinked, thief.token)).body).toMatchObject({
    code: 'IDENTITY_REFUSED',
    reason: 'NONCE',
  })
  const nonce = identityNonce({ act: 'link', account: thief.address })
  expect((await link(await provider.forge({ sub, nonce }), thief.token)).body.code).toBe('IDENTITY_TAKEN')
  // Without the owner's own sign-in, no token of a provider links anything.
  const own = identityNonce({ act: 'link', account: victim.address })
  expect((await link(await provider.forge({ sub: 'mallory', nonce: own }))).status).toBe(401)
})

test('an account has several logins, at most five; unlinking ends one, and is no business of others', async () => {
  const user = await createLinked()
  const nonce = identityNonce({ act: 'link', account: user.address })
  const link = async (of: LoginProvider, person: string) =>
    service.post<{ id: string }>(
      '/login/identity/link',
      { idToken: await of.forge({ sub: person, nonce }) },
      user.token,
    )
  const again = await link(provider, sub)
  expect(again).toMatchObject({ status: 200, body: { id: user.linkId } })
  for (const person of ['a', 'b', 'c', 'd'])
    expect(await link(other, `${sub}-${person}`)).toMatchObject({ status: 200 })
  expect((await link(other, `${sub}-e`)).body.code).toBe('TOO_MANY_IDENTITIES')
  const { body } = await service.get<{ identities: { id: string }[] }>('/login/identities', user.token)
  expect(body.identities).toHaveLength(5)
  const stranger = await service.register(`${nextName()}stranger`)
  const unlink = (token: string) => service.post('/login/identity/unlink', { id: user.linkId }, token)
  expect((await unlink(stranger.token)).body.code).toBe('UNKNOWN_IDENTITY')
  expect(await unlink(user.token)).toMatchObject({ status: 200 })
  expect((await verify(await provider.forge({ sub }))).body.code).toBe('UNKNOWN_IDENTITY')
  expect((await verify(await other.forge({ sub: `${sub}-a` }))).body.username).toBe(user.username)
})

test('one login that is linked twice at once belongs to one account', async () => {
  const users = [await service.register(`${nextName()}one`), await service.register(`${nextName()}two`)]
  const answers = await Promise.all(
    users.map(async ({ address, token }) => {
      const nonce = identityNonce({ act: 'link', account: address })
      return service.post('/login/identity/link', { idToken: await provider.forge({ sub, nonce }) }, token)
    }),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('who a person is at the provider is in no row', async () => {
  sub = 'the-subject-of-a-person'
  await createLinked()
  await verify(await provider.forge({ sub }))
  for (const table of [
    'identities',
    'identity_names',
    'guardian_requests',
    'events',
    'challenges',
  ] as const) {
    const rows = await service.database.selectFrom(table).selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(sub)
  }
})

test('a login ends only at pages of ORIGINS, at the provider that it began with', async () => {
  const { issuer } = provider
  const flow = newFlow()
  const start = (more: object) =>
    service.post('/login/identity/start', {
      ...{ issuer, redirectUri, state: flow.state, nonce: flow.nonce, codeChallenge: flow.codeChallenge },
      ...more,
    })
  for (const evil of [
    'https://evil.example/login',
    'http://localhost:3000@evil.example/login',
    'http://localhost:3000.evil.example/login',
    'http://localhost:3001/login',
    'javascript:alert(1)',
  ])
    expect((await start({ redirectUri: evil })).body.code).toBe('INVALID_INPUT')
  expect((await start({ issuer: 'https://evil.example' })).body).toMatchObject({ reason: 'UNKNOWN_PROVIDER' })
  // The code of one provider, given to another (mix-up): it does not know it.
  const { body } = await service.post<{ url: string }>('/login/identity/start', {
    ...{ issuer, redirectUri, state: flow.state, nonce: flow.nonce, codeChallenge: flow.codeChallenge },
  })
  const code = (await provider.browse(body.url)).searchParams.get('code')
  const mixed = await service.post('/login/identity/exchange', {
    ...{ issuer: other.issuer, redirectUri, code, codeVerifier: flow.codeVerifier, nonce: flow.nonce },
  })
  expect(mixed.body).toMatchObject({ code: 'IDENTITY_REFUSED' })
})

test('a provider that is away leaves passkeys alone', async () => {
  const user = await createLinked()
  await using away = await startLoginProvider()
  await using lonely = await startPasskeyService({ environment: identityEnvironment(away) })
  away.answers(() => ({ status: 503, body: '{}' }))
  const answer = await lonely.post('/login/identity/verify', { idToken: await away.forge() })
  expect(answer).toMatchObject({ status: 503, body: { code: 'IDENTITY_PROVIDER_UNAVAILABLE' } })
  expect(await lonely.register(`${user.username}away`)).toMatchObject({ token: expect.any(String) })
  expect((await lonely.get<{ logins: object[] }>('/brand')).body.logins).toEqual([
    { issuer: away.issuer, name: 'Login 1' },
  ])
})

test('error: without IDENTITY_PROVIDERS there is no login', async () => {
  await using plain = await startPasskeyService()
  const idToken = await provider.forge({ sub, aud: clientId })
  expect((await plain.post('/login/identity/verify', { idToken })).body).toMatchObject({
    reason: 'UNKNOWN_PROVIDER',
  })
  expect((await plain.get<{ logins: object[] }>('/brand')).body.logins).toEqual([])
})
