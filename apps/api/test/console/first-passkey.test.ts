/** @module-tag all */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeCbor } from '../passkeys/authenticator.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
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

describe('the passkeys of an operator', () => {
  interface Listed {
    readonly passkeys: readonly { readonly passkey: string; readonly isWaiting: boolean }[]
  }
  const list = async (browser: TestBrowser) =>
    ((await browser.call('session.passkeys')).data as Listed).passkeys.map(({ passkey }) => passkey)

  /** A second device of the operator at the same browser: the first passkey confirms it. */
  async function addSecond(browser: TestBrowser) {
    const second = openBrowser(console.origin).passkey
    const { data } = await browser.call('session.passkeyOptions')
    const { id, rawId, response } = second.create(data as Parameters<typeof second.create>[0])
    const input = { response: { id, rawId, type: 'public-key', response } }
    expect(await browser.act('session.addPasskey', input)).toMatchObject({ data: { waiting: false } })
    return second
  }

  test('can be two, of which the operator removes one with the other, and with it every other session', async () => {
    const browser = await console.local('two', 'viewer')
    const [first = ''] = await list(browser)
    const second = await addSecond(browser)
    expect(await list(browser)).toEqual([first, expect.stringMatching(/^[\w-]{12}$/)])
    // Whoever has the lost device is signed in with it.
    const { data } = await browser.call('session.signInOptions')
    const lost = console.browser()
    const response = browser.passkey.get(data as Parameters<typeof browser.passkey.get>[0])
    expect(await lost.call('session.signIn', { input: { response } })).toMatchObject({ status: 200 })

    expect(await browser.call('session.removePasskey', { input: { passkey: first } })).toMatchObject({
      code: 'VERIFICATION_FAILED',
    })
    Object.assign(browser.passkey, second)
    expect(await browser.act('session.removePasskey', { passkey: first })).toMatchObject({ status: 200 })
    expect(await list(browser)).toHaveLength(1)
    expect(await lost.call('session.passkeys')).toMatchObject({ code: 'UNAUTHORIZED' })
    expect((await console.audit()).at(-1)).toMatchObject({
      ...{ act: 'operator.passkey-remove', subject: 'two', before: { passkey: first } },
    })
  })

  test('are never none', async () => {
    const browser = await console.local('single', 'admin')
    const [only] = await list(browser)
    const refused = { code: 'INVALID_INPUT', message: expect.stringContaining('only passkey') }
    expect(await browser.act('session.removePasskey', { passkey: only })).toMatchObject(refused)
    // Nobody has vouched for the other one, so it does not count.
    const waiting = openBrowser(console.origin).passkey
    const { id: operator_id } = await console.database.db
      .selectFrom('operators')
      .select('id')
      .where('name', '=', 'single')
      .executeTakeFirstOrThrow()
    await console.database.db
      .insertInto('operator_passkeys')
      .values({
        ...{ id: waiting.id, operator_id, public_key: encodeCbor(waiting.cosePublicKey()), waiting: true },
        ...{ counter: 0, backup_eligible: false, transports: '[]', created_at: console.now() },
      })
      .execute()
    expect(await browser.act('session.removePasskey', { passkey: only })).toMatchObject(refused)
    const unknown = { passkey: 'A'.repeat(12) }
    expect(await browser.act('session.removePasskey', unknown)).toMatchObject({ code: 'INVALID_INPUT' })
  })
})
