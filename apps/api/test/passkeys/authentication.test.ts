// @promise 8
import { describeEachEngine } from '@lanyard/database/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, encodeCbor, flag, type RequestOptions, type Tampering } from './authenticator.ts'
import { origin, type PasskeyService, startPasskeyService } from './passkey-service.ts'

describeEachEngine('authentication', (engine) => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService({ engine })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  async function begin(username: string) {
    const { body } = await service.authenticateOptions(username)
    return body.passkeyAuthenticationOptions
  }

  const signIn = async (username: string, passkey: Authenticator, tampering: Tampering = {}) =>
    service.authenticateVerify(username, passkey.get(await begin(username), tampering))

  test('default: sign-in returns a message and a token for private data', async () => {
    const { passkey } = await service.register('default')
    const { status, body } = await signIn('DEFAULT', passkey)
    expect(status).toBe(200)
    expect(body.message).toBe('Signed in as default.')
    const credentials = await service.get<{ credentials: unknown[] }>('/v3/webauthn/credentials', body.token)
    expect(credentials.body.credentials).toEqual([
      {
        credentialId: passkey.id,
        label: 'First passkey',
        backedUp: false,
        transports: ['internal', 'hybrid'],
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ])
  })

  test('error: UNKNOWN_USER for an unknown username', async () => {
    expect(await service.authenticateOptions('nobody')).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_USER' },
    })
    expect(await service.authenticateVerify('nobody', {})).toMatchObject({
      status: 404,
      body: { code: 'UNKNOWN_USER' },
    })
  })

  test('behavior: the older form with the authenticator data in attestationObject is accepted', async () => {
    const { passkey } = await service.register('older')
    for (const wrap of [
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => Buffer.from(encodeCbor(new Map([['authData', new Uint8Array(bytes)]]))),
    ]) {
      const answer = await signIn('older', passkey, {
        body: ({ response }) => {
          const bytes = Buffer.from(String(response.authenticatorData), 'base64url')
          response.attestationObject = wrap(bytes).toString('base64')
          delete response.authenticatorData
          delete response.userHandle
        },
      })
      expect(answer.status, answer.body.message).toBe(200)
    }
  })

  test('behavior: userHandle may be missing, null or correct', async () => {
    const { passkey } = await service.register('handle')
    for (const userHandle of [undefined, null, passkey.userHandle]) {
      const answer = await signIn('handle', passkey, {
        body: ({ response }) => Object.assign(response, { userHandle }),
      })
      expect(answer.status, answer.body.message).toBe(200)
    }
  })

  test('behavior: a counter stays 0 or always increases', async () => {
    const synced = await service.register('synced')
    for (const _ of [1, 2]) expect((await signIn('synced', synced.passkey)).status).toBe(200)

    const { passkey } = await service.register('counting')
    passkey.counter = 7
    expect((await signIn('counting', passkey)).status).toBe(200)
    expect((await signIn('counting', passkey)).status).toBe(400)
    passkey.counter = 0
    expect((await signIn('counting', passkey)).status).toBe(400)
    passkey.counter = 8
    expect((await signIn('counting', passkey)).status).toBe(200)
  })

  test('behavior: if two assertions use the same counter, one succeeds', async () => {
    const { passkey } = await service.register('cloned')
    passkey.counter = 9
    const answers = await Promise.all([signIn('cloned', passkey), signIn('cloned', passkey)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('behavior: the backup state may change, but the backup eligibility may not', async () => {
    const passkey = new Authenticator(origin)
    passkey.backup = flag.be
    await service.register('backup', passkey)
    passkey.backup = flag.be | flag.bs
    expect((await signIn('backup', passkey)).status).toBe(200)
    passkey.backup = 0
    expect((await signIn('backup', passkey)).status).toBe(400)
  })

  test('behavior: if two concurrent requests use the same challenge, one succeeds', async () => {
    const { passkey } = await service.register('once')
    const options = await begin('once')
    const assertion = passkey.get(options)
    const answers = await Promise.all([
      service.authenticateVerify('once', assertion),
      service.authenticateVerify('once', assertion),
      service.authenticateVerify('once', passkey.get(options)),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })

  test("error: VERIFICATION_FAILED for another user's credential, another user's challenge or an expired challenge", async () => {
    const a = await service.register('user-a')
    const b = await service.register('user-b')
    const rejected = async (answer: ReturnType<typeof signIn>) => {
      expect(await answer).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
    }
    await rejected(signIn('user-b', a.passkey))
    await rejected(service.authenticateVerify('user-b', b.passkey.get(await begin('user-a'))))
    const registering = await service.registerOptions('user-c')
    await rejected(
      service.authenticateVerify('user-a', a.passkey.get({ ...registering.body, rpId: 'localhost' })),
    )
    const options = await begin('user-a')
    service.advance(5 * 60_000)
    await rejected(service.authenticateVerify('user-a', a.passkey.get(options)))
  })

  test('behavior: a discoverable passkey signs in without a username', async () => {
    const { passkey, username } = await service.register('Discovered')
    const discover = async () =>
      (
        await service.get<{ passkeyAuthenticationOptions: RequestOptions & { allowCredentials: unknown[] } }>(
          '/v3/webauthn/discover/generate-options',
        )
      ).body.passkeyAuthenticationOptions
    const verify = (body: unknown) => service.post<{ token: string }>('/v3/webauthn/discover/verify', body)
    const options = await discover()
    expect(options.allowCredentials).toEqual([])
    const assertion = passkey.get(options)
    const answers = await Promise.all([verify(assertion), verify(assertion)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ username })

    const without = passkey.get(await discover(), { body: ({ response }) => delete response.userHandle })
    expect((await verify(without)).status).toBe(400)
    expect((await verify(new Authenticator(origin).get(await discover()))).status).toBe(400)
    expect((await verify(passkey.get(await begin(username)))).status).toBe(400)
    expect((await service.authenticateVerify(username, passkey.get(await discover()))).status).toBe(400)
  })

  test('error: UNAUTHORIZED without a token, with a forged token or with an expired token', async () => {
    const { token } = await service.register('tokens')
    const path = '/v3/webauthn/credentials'
    const [header, payload, signature = ''] = token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    for (const bad of [
      undefined,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${none}.${payload}.`,
    ]) {
      expect(await service.get(path, bad)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    }
    expect((await service.get(path, token)).status).toBe(200)
    service.advance(61 * 60_000)
    expect(await service.get(path, token)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })
})

test('behavior: with CREDENTIAL_IDS=hidden, a username reveals no credential IDs, and the user signs in all the same', async () => {
  await using service = await startPasskeyService({ environment: { CREDENTIAL_IDS: 'hidden' } })
  const { passkey } = await service.register('hidden')
  const named = await service.authenticateOptions('hidden')
  expect(named).toMatchObject({ status: 200, body: { allowCredentials: [] } })
  const recovery = await service.get('/v3/webauthn/recovery/generate-options?username=hidden')
  expect(recovery.status).toBe(200)
  expect(JSON.stringify(recovery.body)).not.toContain(passkey.id)
  const message = { network: '31337', username: 'hidden', message: 'Hello' }
  const anonymous = await service.post('/v3/webauthn/message/generate-options', message)
  expect(anonymous.status).toBe(200)
  expect(JSON.stringify(anonymous.body)).not.toContain(passkey.id)

  const answer = passkey.get(named.body.passkeyAuthenticationOptions)
  const { status, body } = await service.authenticateVerify('hidden', answer)
  expect(status).toBe(200)
  // A token that has expired does not keep its user from signing in.
  const expired = await service.get('/webauthn/authenticate/generate-options?username=hidden', 'expired')
  expect(expired).toMatchObject({ status: 200, body: { allowCredentials: [] } })
  // The user's own pages are told which passkeys count.
  const own = await service.get<{ allowCredentials: unknown[] }>(
    '/webauthn/authenticate/generate-options?username=hidden',
    body.token,
  )
  expect(own.body.allowCredentials).toMatchObject([{ id: passkey.id }])
})
