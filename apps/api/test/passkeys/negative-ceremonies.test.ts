/** @module-tag all */
// @promise 8
import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { assertionCases } from './assertion-cases.ts'
import { Authenticator } from './authenticator.ts'
import { contentsOf } from './contents.ts'
import { origin, type PasskeyService, startPasskeyService, transfer } from './passkey-service.ts'
import { registrationCases } from './registration-cases.ts'

let service: PasskeyService
const passkey = new Authenticator(origin)
const username = 'alice'

beforeAll(async () => {
  service = await startPasskeyService()
  passkey.counter = 5
  await service.register(username, passkey)
  passkey.counter = 6
})
afterAll(() => service?.[Symbol.asyncDispose]())

reportPassed(8, 'negative ceremonies refused', (title) => title.startsWith('error: '))

describe('register/verify refuses and changes nothing', () => {
  test.each(registrationCases)('error: $name', async ({ tampering, code = 'VERIFICATION_FAILED' }) => {
    const options = await service.registerOptions('newcomer')
    const before = await contentsOf(service)
    const { status, body } = await service.registerVerify(
      'newcomer',
      new Authenticator(origin).create(options.body, tampering),
    )
    expect(`${status} ${body.code}`, body.message).toBe(`400 ${code}`)
    expect(await contentsOf(service)).toBe(before)
  })
})

describe('authenticate/verify refuses and changes nothing', () => {
  test.each(assertionCases)('error: $name', async ({ tampering, code = 'VERIFICATION_FAILED' }) => {
    const options = await service.authenticateOptions(username)
    const before = await contentsOf(service)
    const { status, body } = await service.authenticateVerify(
      username,
      passkey.get(options.body.passkeyAuthenticationOptions, tampering),
    )
    expect(`${status} ${body.code}`, body.message).toBe(`400 ${code}`)
    expect(await contentsOf(service)).toBe(before)
  })
})

describe('transaction/verify refuses and changes nothing', () => {
  // A wallet has at most 64 unsigned builds, so the builds of earlier cases must expire first.
  beforeEach(() => service.advance(11 * 60_000))

  test.each(assertionCases)('error: $name', async ({ tampering, code = 'VERIFICATION_FAILED' }) => {
    const options = await service.transactionOptions({
      username,
      network: '31337',
      transactionDetails: transfer(),
    })
    expect(options.status).toBe(200)
    const before = await contentsOf(service)
    const { status, body } = await service.transactionVerify(username, passkey.get(options.body, tampering))
    expect(`${status} ${body.code}`, body.message).toBe(`400 ${code}`)
    expect(await contentsOf(service)).toBe(before)
  })
})

test('behavior: valid ceremonies still succeed after all refused ones', async () => {
  const registration = await service.registerOptions('newcomer')
  expect(
    await service.registerVerify('newcomer', new Authenticator(origin).create(registration.body)),
  ).toMatchObject({ status: 200 })
  expect(await service.send({ username, passkey }, transfer())).toMatchObject({ status: 200 })
  passkey.counter = 7
  const options = await service.authenticateOptions(username)
  expect(
    await service.authenticateVerify(username, passkey.get(options.body.passkeyAuthenticationOptions)),
  ).toMatchObject({ status: 200 })
})
