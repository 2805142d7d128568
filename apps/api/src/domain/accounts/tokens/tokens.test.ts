import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashKey } from '../api-keys/key-text.ts'
import { deriveWalletKey } from '../api-keys/wallet-key.ts'
import type { SigningKey } from './signing-key.ts'
import { createTokens } from './tokens.ts'

const start = new Date('2026-01-01T00:00:00.900Z')
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds)
const hour = 3_600_000
const user = '0b6c2f6e-52a1-4c39-9d5c-7d2c8f0e1a34'

let key: SigningKey
let other: SigningKey
beforeAll(async () => {
  const make = () => generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  ;[key, other] = await Promise.all([make(), make()])
})

const tokensAt = (now: Date, of = key, audience = 'localhost') =>
  createTokens([of], { audience, now: () => now })
const expired = expect.objectContaining({
  code: 'UNAUTHORIZED',
  message: expect.stringContaining('has expired'),
})
const invalid = expect.objectContaining({
  code: 'UNAUTHORIZED',
  message: expect.stringContaining('not valid here'),
})

/** Signs a token like another party. */
const forge = (payload: JWTPayload, { alg = 'EdDSA', by = key.privateKey } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(by)
const seconds = Math.floor(start.getTime() / 1000)
const honest = { sub: user, iss: 'lanyard', aud: 'localhost', exp: seconds + 60 }

describe('tokens', () => {
  test('default: a token is valid for one hour', async () => {
    const token = await tokensAt(start).issue(user)
    expect(await tokensAt(start).verify(token)).toEqual({ userId: user, isReader: false })
    expect(await tokensAt(after(hour - 1_000)).verify(token)).toEqual({ userId: user, isReader: false })
    await expect(tokensAt(after(hour)).verify(token)).rejects.toThrow(expired)
  })

  test('behavior: the operator decides how long a token is valid', async () => {
    const day = 24 * 3_600
    const tokens = createTokens([key], { audience: 'localhost', now: () => start, lifetime: day })
    const token = await tokens.issue(user)
    expect(await tokensAt(after(day * 1_000 - 1_000)).verify(token)).toEqual({
      userId: user,
      isReader: false,
    })
    await expect(tokensAt(after(day * 1_000)).verify(token)).rejects.toThrow(expired)
  })

  test('behavior: header and payload have the documented claims', async () => {
    const [header = '', payload = ''] = (await tokensAt(start).issue(user)).split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    expect(read(payload)).toEqual({
      sub: user,
      iss: 'lanyard',
      aud: 'localhost',
      iat: seconds,
      exp: seconds + 3_600,
    })
  })

  test.each([
    ['empty', ''],
    ['null', null],
  ])('error: a subject that is %s', async (_, sub) => {
    const payload = { ...honest, sub } as JWTPayload // the type excludes null, but a claim can be null
    await expect(tokensAt(start).verify(await forge(payload))).rejects.toThrow(invalid)
  })

  test('behavior: a token signed elsewhere with correct claims is valid', async () => {
    expect(await tokensAt(start).verify(await forge(honest))).toEqual({ userId: user, isReader: false })
  })

  test('error: a token of another key or another installation is invalid', async () => {
    const token = await tokensAt(start).issue(user)
    await expect(tokensAt(start, other).verify(token)).rejects.toThrow(invalid)
    await expect(tokensAt(start, key, 'example.org').verify(token)).rejects.toThrow(invalid)
  })

  test.each<[string, JWTPayload]>([
    ['another issuer', { ...honest, iss: 'somebody' }],
    ['no issuer', { sub: user, aud: 'localhost', exp: seconds + 60 }],
    ['no audience', { sub: user, iss: 'lanyard', exp: seconds + 60 }],
    ['no subject', { iss: 'lanyard', aud: 'localhost', exp: seconds + 60 }],
    ['no expiry', { sub: user, iss: 'lanyard', aud: 'localhost' }],
    ['not valid yet', { ...honest, nbf: seconds + 30 }],
  ])('error: a token with this fault is invalid: %s', async (_, payload) => {
    await expect(tokensAt(start).verify(await forge(payload))).rejects.toThrow(invalid)
  })

  test('error: a token that is unsigned or signed with another algorithm is invalid', async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(honest)).toString('base64url')}.`
    const secret = new SignJWT(honest).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    for (const token of [unsigned, await secret, '', 'a.b.c'])
      await expect(tokensAt(start).verify(token)).rejects.toThrow(invalid)
  })

  test('error: a changed token is invalid', async () => {
    const [header = '', , signature = ''] = (await tokensAt(start).issue(user)).split('.')
    const changed = Buffer.from(JSON.stringify({ ...honest, sub: 'somebody' })).toString('base64url')
    await expect(tokensAt(start).verify(`${header}.${changed}.${signature}`)).rejects.toThrow(invalid)
  })
})

describe('deriveWalletKey', () => {
  const origins = ['https://example.org']

  test('default: the key is derived from the token signing key', async () => {
    const derived = await deriveWalletKey(key, origins)
    expect(derived).toEqual({
      kind: 'publishable',
      name: 'wallet',
      origins,
      ownPages: true,
      text: expect.stringMatching(/^lk_public_wallet--[\w-]{43}$/),
      hash: hashKey(derived.text),
    })
    expect(await deriveWalletKey(key, [])).toMatchObject({ text: derived.text })
    expect((await deriveWalletKey(other, origins)).text).not.toBe(derived.text)
  })
})
