/** @module-tag all */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConsole, type TestConsole } from './start-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console?.[Symbol.asyncDispose]())

const readKey = { kind: 'secret', name: 'reader', scope: 'read' }

describe('the first passkey of a person of the provider', () => {
  test('confirms nothing until an administrator vouches for the one that its owner names', async () => {
    console.provider.is('new', { username: 'new', groups: ['lanyard-admins'] })
    const browser = console.browser()
    await browser.signIn()
    await browser.enrol()
    const { name, waitingPasskey } = (await browser.call('session.current')).data as {
      name: string
      waitingPasskey: string
    }
    expect(waitingPasskey).toMatch(/^[\w-]{12}$/)
    const refused = { code: 'VERIFICATION_FAILED' }
    const asked = await browser.call('approvals.confirmation', {
      input: { act: 'keys.create', input: readKey },
    })
    expect(asked).toMatchObject(refused)
    const chief = await console.local('chief', 'admin')
    const wrong = { name, passkey: 'A'.repeat(12) }
    expect(await chief.act('operators.confirmPasskey', wrong)).toMatchObject({ code: 'INVALID_INPUT' })
    const right = { name, passkey: waitingPasskey }
    expect(await chief.act('operators.confirmPasskey', right)).toMatchObject({ status: 200 })
    expect(await browser.act('keys.create', readKey)).toMatchObject({ status: 200 })
    expect(await console.acts()).toEqual(
      expect.arrayContaining(['operator.passkey', 'operator.passkey-confirm']),
    )
    // A further one needs this one; what waits ends.
    const { code } = await browser.enrol()
    expect(code).toBe('VERIFICATION_FAILED')
  })

  test('cannot be replaced by one that looks like it', async () => {
    console.provider.is('target', { groups: ['lanyard-admins'] })
    const owner = console.browser()
    await owner.signIn()
    await owner.enrol()
    const { name, waitingPasskey } = (await owner.call('session.current')).data as Record<string, string>
    // Whoever controls the provider signs in as this person, with an authenticator whose ids begin alike.
    const thief = console.browser()
    await thief.signIn()
    thief.passkey.credentialId.set(owner.passkey.credentialId.subarray(0, 15))
    expect(await thief.enrol()).toMatchObject({ status: 200 })
    const chief = await console.local('chief-3', 'admin')
    const input = { name, passkey: waitingPasskey }
    expect(await chief.act('operators.confirmPasskey', input)).toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('waits for a day', async () => {
    console.provider.is('slow', { groups: ['support'] })
    const browser = console.browser()
    await browser.signIn()
    await browser.enrol()
    const { name, waitingPasskey } = (await browser.call('session.current')).data as Record<string, string>
    console.pass(24 * 60 * 60_000)
    const chief = await console.local('chief-2', 'admin')
    const input = { name, passkey: waitingPasskey }
    expect(await chief.act('operators.confirmPasskey', input)).toMatchObject({ code: 'INVALID_INPUT' })
  })
})
