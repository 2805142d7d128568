// @promise 8
import { computeAccountAddress, defaultVerifiers } from '@lanyard/accounts'
import { describeEachEngine } from '@lanyard/database/testing'
import { randomBytes } from '@lanyard/testing'
import { bytesToBigInt } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authenticator, type Tampering } from './authenticator.ts'
import { contentsOf } from './contents.ts'
import { origin, type PasskeyService, startPasskeyService } from './passkey-service.ts'

describeEachEngine('registration', (engine) => {
  let service: PasskeyService
  beforeAll(async () => {
    service = await startPasskeyService({ engine, environment: { SPONSORED_DEPLOYMENTS: '1' } })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const newPasskey = () => new Authenticator(origin)

  async function attempt(username: string, passkey = newPasskey(), tampering: Tampering = {}, more = '') {
    const { body } = await service.registerOptions(username)
    return service.registerVerify(username, passkey.create(body, tampering), more)
  }

  test('default: the options have the form that startRegistration takes', async () => {
    const { status, body } = await service.registerOptions('Ｏptions')
    expect(status).toBe(200)
    expect(body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { name: 'Lanyard', id: 'localhost' },
      user: { id: expect.stringMatching(/^[\w-]{22}$/), name: 'Options', displayName: 'Options' },
      pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'preferred',
        requireResidentKey: false,
        userVerification: 'required',
      },
      extensions: { credProps: true },
    })
  })

  test('default: the account address depends on the key only', async () => {
    const passkey = newPasskey()
    const { status, body } = await attempt('computed', passkey)
    expect(status).toBe(200)
    const [x, y] = [bytesToBigInt(passkey.x), bytesToBigInt(passkey.y)]
    expect(body.wallet.scw_address).toBe(
      computeAccountAddress({ kind: 'passkey', x, y, verifiers: defaultVerifiers }),
    )
  })

  test('behavior: the body may use padded base64', async () => {
    const passkey = new Authenticator(origin, Buffer.from('fbefbefbff', 'hex'))
    const toBase64 = (value: unknown) => Buffer.from(String(value), 'base64url').toString('base64')
    const answer = await attempt('plain', passkey, {
      body: (sent) => {
        const { attestationObject, clientDataJSON } = sent.response
        for (const key of ['type', 'authenticatorAttachment', 'clientExtensionResults']) delete sent[key]
        sent.rawId = toBase64(sent.rawId)
        sent.response = {
          attestationObject: toBase64(attestationObject),
          clientDataJSON: toBase64(clientDataJSON),
        }
      },
    })
    expect(answer.status, answer.body.message).toBe(200)
    expect(
      (await service.authenticateOptions('plain')).body.passkeyAuthenticationOptions.allowCredentials,
    ).toEqual([{ id: passkey.id, type: 'public-key' }])
  })

  test('behavior: credential ids of 1 and 1023 bytes are accepted', async () => {
    for (const length of [1, 1023]) {
      const answer = await attempt(`length-${length}`, new Authenticator(origin, randomBytes(length)))
      expect(answer.status, answer.body.message).toBe(200)
    }
  })

  test('behavior: self attestation is accepted, as some platforms send it', async () => {
    const answer = await attempt('self', newPasskey(), {
      attestation: (map, { bytes, sign }) => {
        map.set('fmt', 'packed')
        map.set(
          'attStmt',
          new Map<string, unknown>([
            ['alg', -7],
            ['sig', new Uint8Array(sign(bytes))],
          ]),
        )
      },
    })
    expect(answer.status, answer.body.message).toBe(200)
  })

  test('error: USERNAME_TAKEN for a name that differs only in letter case', async () => {
    await attempt('Taken')
    const answer = await service.registerOptions('tAKEN')
    expect(answer).toMatchObject({ status: 400, body: { code: 'USERNAME_TAKEN' } })
  })

  test.each([
    '0x7099\u202679C8',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'm\u0430ria', // a Cyrillic a
  ])('error: USERNAME_REFUSED for %s, before and after the challenge', async (name) => {
    const rejected = { status: 400, body: { code: 'USERNAME_REFUSED' } }
    expect(await service.registerOptions(name)).toMatchObject(rejected)
    const { body } = await service.registerOptions('somebody-else')
    expect(await service.registerVerify(name, newPasskey().create(body))).toMatchObject(rejected)
  })

  test('error: USERNAME_TAKEN for a name that looks the same in another script', async () => {
    await attempt('coco')
    const answer = await service.registerOptions('\u0441\u043e\u0441\u043e')
    expect(answer).toMatchObject({ status: 400, body: { code: 'USERNAME_TAKEN' } })
    expect((await attempt('cocos')).status).toBe(200)
  })

  test('behavior: if two registrations use names that look the same, one succeeds', async () => {
    const names = ['pope', '\u0440\u043e\u0440\u0435'] as const
    const registrations = await Promise.all(
      names.map(async (name) => ({
        name,
        registration: newPasskey().create((await service.registerOptions(name)).body),
      })),
    )
    const answers = await Promise.all(
      registrations.map(({ name, registration }) => service.registerVerify(name, registration)),
    )
    expect(answers.map(({ status, body }) => `${status} ${body.code}`).toSorted()).toEqual([
      '200 undefined',
      '400 USERNAME_TAKEN',
    ])
  })

  test('behavior: if two registrations use the same name, one succeeds', async () => {
    const [first, second] = [newPasskey(), newPasskey()]
    const options = [await service.registerOptions('race'), await service.registerOptions('RACE')]
    const answers = await Promise.all([
      service.registerVerify('race', first.create(options[0]?.body ?? raise())),
      service.registerVerify('RACE', second.create(options[1]?.body ?? raise())),
    ])
    expect(answers.map(({ status, body }) => `${status} ${body.code}`).toSorted()).toEqual([
      '200 undefined',
      '400 USERNAME_TAKEN',
    ])
  })

  test('behavior: if a registration is sent twice concurrently, one succeeds', async () => {
    const { body } = await service.registerOptions('twice')
    const registration = newPasskey().create(body)
    const answers = await Promise.all([
      service.registerVerify('twice', registration),
      service.registerVerify('twice', registration),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('error: VERIFICATION_FAILED for a passkey that any user has already registered', async () => {
    const passkey = newPasskey()
    await attempt('first', passkey)
    const before = await contentsOf(service)
    const { body } = await service.registerOptions('second')
    const answer = await service.registerVerify('second', passkey.create(body))
    expect(answer).toMatchObject({ status: 400, body: { code: 'VERIFICATION_FAILED' } })
    // The same key under another id fails, and so does another key under the same id.
    const sameKey = new Authenticator(origin)
    Object.assign(sameKey, { x: passkey.x, y: passkey.y })
    expect((await attempt('second', sameKey)).status).toBe(400)
    expect((await attempt('second', new Authenticator(origin, passkey.credentialId))).status).toBe(400)
    const without = (contents: string) => ({ ...JSON.parse(contents), challenges: [] })
    expect(without(await contentsOf(service))).toEqual(without(before))
  })

  test("error: VERIFICATION_FAILED for another user's challenge, UNKNOWN_USER without a challenge", async () => {
    const { body } = await service.registerOptions('begun')
    await service.registerOptions('other')
    const registration = newPasskey().create(body)
    expect(await service.registerVerify('other', registration)).toMatchObject({
      status: 400,
      body: { code: 'VERIFICATION_FAILED' },
    })
    expect(await service.registerVerify('never', registration)).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_USER' },
    })
  })

  test('behavior: deployWallet deploys at once if the budget allows it', async () => {
    const deployed = await attempt('deployed', newPasskey(), {}, '&deployWallet=true')
    expect(deployed).toMatchObject({ status: 200, body: { wallet: { multi_scw: [{ deployed: true }] } } })
    const rejected = await attempt('refused', newPasskey(), {}, '&deployWallet=true')
    expect(rejected).toMatchObject({ status: 400, body: { code: 'DEPLOYMENT_REFUSED' } })
    expect((await attempt('refused')).status).toBe(200)
  })

  test('error: VERIFICATION_FAILED after five minutes', async () => {
    const { body } = await service.registerOptions('late')
    service.advance(5 * 60_000)
    expect(await service.registerVerify('late', newPasskey().create(body))).toMatchObject({
      status: 400,
      body: { code: 'VERIFICATION_FAILED' },
    })
  })
})

function raise(): never {
  throw new Error('no options')
}
