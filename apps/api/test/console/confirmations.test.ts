/** @module-tag all */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmedActs } from '../../src/console/guarded-acts.ts'
import { hashKey } from '../../src/domain/accounts/api-keys/key-text.ts'
import { flag } from '../passkeys/authenticator.ts'
import { startConsole, type TestConsole } from './start-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await startConsole({ CONSOLE_APPROVALS: 'keys.create:full,policies.save' })
})
afterAll(() => console?.[Symbol.asyncDispose]())

const readKey = { kind: 'secret', name: 'reader', scope: 'read' }
const fullKey = { kind: 'secret', name: 'server' }
const keys = () => console.database.db.selectFrom('api_keys').selectAll().execute()

describe('a passkey confirms an act', () => {
  test('every act that is named needs it, from every kind of session', async () => {
    const people = [await console.local('root', 'admin'), await console.person('alice', ['lanyard-admins'])]
    for (const browser of people) {
      for (const act of confirmedActs)
        expect(await browser.call(act)).toMatchObject({ code: 'VERIFICATION_FAILED' })
      expect(await browser.act('keys.create', readKey)).toMatchObject({ status: 200 })
    }
    const subjects = (await console.audit()).filter(({ act }) => act === 'key.create')
    expect(subjects.map(({ identity }) => identity)).toEqual([
      null,
      { issuer: console.provider.issuer, subject: 'alice' },
    ])
  })

  test('it counts once, for this act with this input, in this session, for five minutes', async () => {
    const [one, other] = [await console.local('one', 'admin'), await console.local('other', 'admin')]
    const { headers } = await one.confirm('keys.create', readKey)
    const refused = { code: 'VERIFICATION_FAILED' }
    expect(await one.call('keys.revoke', { input: { id: 'lk_secret_aaaaaaaa' }, headers })).toMatchObject(
      refused,
    )
    expect(await one.call('keys.create', { input: { ...readKey, name: 'x' }, headers })).toMatchObject(
      refused,
    )
    expect(await other.call('keys.create', { input: readKey, headers })).toMatchObject(refused)
    const moved = console.browser(`lanyard-console=${other.jar().get('lanyard-console')}`)
    expect(await moved.call('keys.create', { input: readKey, headers })).toMatchObject(refused)
    expect(await one.call('keys.create', { input: readKey, headers })).toMatchObject({ status: 200 })
    expect(await one.call('keys.create', { input: readKey, headers })).toMatchObject(refused)
    const late = await one.confirm('keys.create', readKey)
    console.pass(5 * 60_000 + 1)
    expect(await one.call('keys.create', { input: readKey, headers: late.headers })).toMatchObject(refused)
  })

  test('of two at once with one confirmation, one counts', async () => {
    const browser = await console.local('twice', 'admin')
    const { headers } = await browser.confirm('keys.create', readKey)
    const answers = await Promise.all(
      [1, 2].map(() => browser.call('keys.create', { input: readKey, headers })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('a passkey that did not verify its person, or is of somebody else, confirms nothing', async () => {
    const browser = await console.local('absent', 'admin')
    const { options } = await browser.confirm('keys.create', readKey)
    const touched = browser.passkey.get(options, {
      authenticatorData: (parts) => {
        parts.flags &= ~flag.uv
      },
    })
    const stranger = (await console.local('stranger', 'admin')).passkey.get(options)
    for (const assertion of [touched, stranger, {}, 'x'])
      expect(
        await browser.call('keys.create', { input: readKey, headers: browser.header(assertion) }),
      ).toMatchObject({ code: 'VERIFICATION_FAILED' })
  })

  test('a sign-in confirms no act, and a confirmation signs nobody in', async () => {
    const browser = await console.local('mixed', 'admin')
    const { data } = await browser.call('session.signInOptions')
    const signedIn = browser.passkey.get(data as Parameters<typeof browser.passkey.get>[0])
    expect(
      await browser.call('keys.create', { input: readKey, headers: browser.header(signedIn) }),
    ).toMatchObject({ code: 'VERIFICATION_FAILED' })
    const { options } = await browser.confirm('keys.create', readKey)
    const response = browser.passkey.get(options)
    expect(await console.browser().call('session.signIn', { input: { response } })).toMatchObject({
      code: 'VERIFICATION_FAILED',
    })
  })
})

describe('a second person', () => {
  interface Listed {
    readonly id: string
    readonly hash: string
    readonly state: string
    readonly mayApprove: boolean
    readonly mayReject: boolean
    readonly changes: readonly string[] | null
  }
  const list = async (browser: Awaited<ReturnType<TestConsole['local']>>) =>
    ((await browser.call('approvals.list')).data as { requests: Listed[] }).requests
  const approve = async (browser: Awaited<ReturnType<TestConsole['local']>>, id: string) => {
    const hash = (await list(browser)).find((one) => one.id === id)?.hash
    return browser.act('approvals.approve', { id, hash })
  }

  test('approves a key, whose text only its requester has ever seen', async () => {
    const ann = await console.person('ann', ['lanyard-admins'])
    const ben = await console.person('ben', ['lanyard-admins'])
    expect(await ann.act('keys.create', fullKey)).toMatchObject({ code: 'FORBIDDEN' })
    expect((await ann.confirm('keys.create', fullKey)).needsSecond).toBe(true)
    const before = (await keys()).length
    const { data } = await ann.request('keys.create', fullKey)
    expect(data.secret).toMatch(/^lk_secret_/)
    expect((await keys()).length).toBe(before)
    const stored = await console.database.db.selectFrom('operator_approvals').selectAll().execute()
    expect(JSON.stringify([stored, await console.audit(), console.logged])).not.toContain(data.secret)
    const { status, data: answered } = await approve(ben, data.id)
    expect({ status, answered }).toEqual({ status: 200, answered: { approved: true } })
    const made = (await keys()).find(({ id }) => data.secret?.startsWith(id))
    expect(made).toMatchObject({ name: 'server', scope: 'full', key_hash: hashKey(data.secret ?? '') })
    const [created, approved] = (await console.audit()).slice(-2)
    expect(created).toMatchObject({ act: 'key.create', identity: { subject: 'ann' } })
    expect(approved).toMatchObject({
      ...{ act: 'approval.approve', subject: data.id, identity: { subject: 'ben' } },
      after: { act: 'keys.create', requestedBy: expect.stringMatching(/^ann\./) },
    })
    // Once.
    expect(await ben.act('approvals.approve', { id: data.id, hash: 'a'.repeat(64) })).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  test('is never the same operator, in whichever session or with whichever role', async () => {
    const cat = await console.local('cat', 'admin')
    const { data } = await cat.request('keys.create', fullKey)
    expect(await approve(cat, data.id)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await cat.call('approvals.reject', { input: { id: data.id } })).toMatchObject({
      code: 'FORBIDDEN',
    })
    const { data: options } = await cat.call('session.signInOptions')
    const second = console.browser()
    const response = cat.passkey.get(options as Parameters<typeof cat.passkey.get>[0])
    expect(await second.call('session.signIn', { input: { response } })).toMatchObject({ status: 200 })
    Object.assign(second, { passkey: cat.passkey })
    const hash = (await list(second)).find((one) => one.id === data.id)?.hash
    const input = { id: data.id, hash }
    const asked = await second.call('approvals.confirmation', { input: { act: 'approvals.approve', input } })
    const { options: signed } = asked.data as { options: Parameters<typeof cat.passkey.get>[0] }
    const headers = second.header(cat.passkey.get(signed))
    expect(await second.call('approvals.approve', { input, headers })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await cat.call('approvals.withdraw', { input: { id: data.id } })).toMatchObject({ status: 200 })
  })

  test('a person of the provider does not approve their own request after another sign-in', async () => {
    const first = await console.person('dan', ['lanyard-admins'])
    const { data } = await first.request('keys.create', fullKey)
    console.provider.is('dan', { username: 'daniela', groups: ['lanyard-admins'] })
    await first.signIn()
    expect(await approve(first, data.id)).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('is not a person of the provider for an operator of this house, or the reverse: they may be one human', async () => {
    const house = await console.local('uma', 'admin')
    const person = await console.person('uma', ['lanyard-admins'])
    for (const [requester, other] of [
      [house, person],
      [person, house],
    ] as const) {
      const { data } = await requester.request('keys.create', fullKey)
      const shown = (await list(other)).find(({ id }) => id === data.id)
      expect(shown).toMatchObject({ mayApprove: false, mayReject: true })
      const before = (await keys()).length
      expect(await approve(other, data.id)).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('could be one person'),
      })
      expect((await keys()).length).toBe(before)
      expect(await other.call('approvals.reject', { input: { id: data.id } })).toMatchObject({ status: 200 })
    }
  })

  test('needs the role of the act, and so does the requester at that time', async () => {
    const [eve, fox] = [await console.local('eve', 'admin'), await console.local('fox', 'operator')]
    const { data } = await eve.request('keys.create', fullKey)
    expect((await list(fox)).find(({ id }) => id === data.id)).toMatchObject({
      mayApprove: false,
      mayReject: false,
    })
    expect(await approve(fox, data.id)).toMatchObject({ code: 'FORBIDDEN' })
    expect(
      await fox.call('approvals.confirmation', { input: { act: 'keys.create', input: fullKey } }),
    ).toMatchObject({
      code: 'FORBIDDEN',
    })
    const gil = await console.local('gil', 'admin')
    const hal = await console.local('hal', 'admin')
    const change = await gil.request('operators.changeRole', { name: 'eve', role: 'operator' })
    expect(await approve(hal, change.data.id)).toMatchObject({ status: 200 })
    const before = (await keys()).length
    expect(await approve(gil, data.id)).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('eve'),
    })
    expect((await keys()).length).toBe(before)
    expect(await gil.call('approvals.reject', { input: { id: data.id } })).toMatchObject({ status: 200 })
    expect((await console.acts()).at(-1)).toBe('approval.reject')
  })

  test('of two that approve at once, one does it', async () => {
    const people = [await console.local('ida', 'admin'), await console.local('joe', 'admin')]
    const { data } = await (await console.local('kim', 'admin')).request('keys.create', fullKey)
    const before = (await keys()).length
    const answers = await Promise.all(people.map((browser) => approve(browser, data.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await keys()).length).toBe(before + 1)
  })

  test('a request ends after a day, and the audit log says so', async () => {
    const [lea, max] = [await console.local('lea', 'admin'), await console.local('max', 'admin')]
    const { data } = await lea.request('keys.create', fullKey)
    const hash = (await list(max)).find(({ id }) => id === data.id)?.hash
    console.pass(24 * 60 * 60_000)
    const later = await console.local('max-2', 'admin')
    expect(await later.act('approvals.approve', { id: data.id, hash })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect((await list(later)).find(({ id }) => id === data.id)).toMatchObject({ state: 'expired' })
    expect((await console.audit()).at(-1)).toMatchObject({ act: 'approval.expire', subject: data.id })
  })

  test('does not approve what was changed in the database, or what they did not see', async () => {
    const [ned, ola] = [await console.local('ned', 'admin'), await console.local('ola', 'admin')]
    const { data } = await ned.request('keys.create', fullKey)
    const hash = (await list(ola)).find(({ id }) => id === data.id)?.hash
    expect(await ola.act('approvals.approve', { id: data.id, hash: 'b'.repeat(64) })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    await console.database.db
      .updateTable('operator_approvals')
      .set({ input: JSON.stringify({ ...fullKey, name: 'evil' }) })
      .where('id', '=', data.id)
      .execute()
    expect(await ola.act('approvals.approve', { id: data.id, hash })).toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('approves an invitation, whose link works from then on', async () => {
    const [pam, quin] = [await console.local('pam', 'admin'), await console.local('quin', 'admin')]
    const { data } = await pam.request('operators.invite', { name: 'newcomer', role: 'viewer' })
    const token = data.secret?.split('#')[1]
    const open = () => console.browser().call('session.invitation', { input: { token } })
    expect(await open()).toMatchObject({ code: 'FORBIDDEN' })
    expect(await approve(quin, data.id)).toMatchObject({ status: 200 })
    expect(await open()).toMatchObject({ data: { name: 'newcomer' } })
  })

  test('is nobody whom the requester makes alone', async () => {
    const sly = await console.local('sly', 'admin')
    await console.local('idle', 'viewer')
    const waits = { code: 'FORBIDDEN', message: expect.stringContaining('second person') }
    for (const [act, input] of [
      ['operators.invite', { name: 'sly-2', role: 'admin' }],
      ['operators.changeRole', { name: 'idle', role: 'admin' }],
      ['operators.confirmPasskey', { name: 'idle', passkey: 'A'.repeat(12) }],
    ] as const)
      expect(await sly.act(act, input)).toMatchObject(waits)
  })

  test('sees invisible characters and turned directions of a request as escapes', async () => {
    const tom = await console.local('tom', 'admin')
    const description = '\u202e \u200b \u2028 \u{e0041} \ufeff ä 漢 🙂'
    const text = JSON.stringify({ policies: [{ id: 'one', effect: 'deny', description }] })
    await tom.request('policies.save', { text, basedOn: 0 })
    const [shown] = (await list(tom)) as unknown as { input: string; changes: string[] }[]
    expect(JSON.parse(shown?.input ?? '')).toEqual({ text, basedOn: 0 })
    const visible = '\\u202e \\u200b \\u2028 \\udb40\\udc41 \\ufeff ä 漢 🙂'
    expect(shown?.input).toContain(visible)
    expect(shown?.changes).toContain(`one: description: "${visible}".`)
  })

  test('reads in words what a draft of policies changes, as long as it can be approved', async () => {
    const [vic, wes] = [await console.local('vic', 'operator'), await console.local('wes', 'operator')]
    const draft = (wei: string) => ({
      text: JSON.stringify({ policies: [{ id: 'shop', budgets: { day: { wei } } }] }),
      basedOn: 0,
    })
    const [first, second] = [
      await vic.request('policies.save', draft('2000000000000000000')),
      await vic.request('policies.save', draft('3000000000000000000')),
    ]
    const changesOf = async (id: string) => (await list(wes)).find((one) => one.id === id)?.changes
    expect(await changesOf(first.data.id)).toEqual(
      expect.arrayContaining([
        'local ends: it paid.',
        'shop is new, as number 1 of 1: it pays.',
        'shop: cost for all accounts in a day: 2 ETH.',
      ]),
    )
    expect(await approve(wes, first.data.id)).toMatchObject({ status: 200 })
    expect(await changesOf(first.data.id)).toBeNull()
    expect(await changesOf(second.data.id)).toEqual([expect.stringContaining('cannot be approved any more')])
  })

  test('still reads the list if a draft no longer fits, after a new version or another file', async () => {
    const [yan, zoe] = [await console.local('yan', 'operator'), await console.local('zoe', 'operator')]
    const basedOn = Number(((await yan.call('policies.list')).data as { number: number }).number)
    const asked = await yan.request('policies.save', { text: '{"policies": []}', basedOn })
    await console.database.db
      .updateTable('operator_approvals')
      .set({ input: JSON.stringify({ text: '{"policies": [{"id": "one", "former": 1}]}', basedOn }) })
      .where('id', '=', asked.data.id)
      .execute()
    const shown = (await list(zoe)).find(({ id }) => id === asked.data.id)
    expect(shown?.changes).toEqual([expect.stringContaining('cannot be approved any more')])
    expect(await zoe.call('approvals.reject', { input: { id: asked.data.id } })).toMatchObject({
      status: 200,
    })
  })

  test('is not asked for a draft that could not be put into force', async () => {
    const xia = await console.local('xia', 'operator')
    const basedOn = Number(((await xia.call('policies.list')).data as { number: number }).number)
    const waiting = (await list(xia)).length
    for (const [text, message] of [
      ['{', 'not valid JSON'],
      ['{"policies": [{"id": "shop", "budgets": {}}]}', 'budgets'],
      ['{"policies": [{"id": "shop", "effect": "deny", "networks": [7]}]}', '7 is not a configured network'],
    ] as const)
      expect(await xia.request('policies.save', { text, basedOn })).toMatchObject({
        ...{ status: 400, code: 'INVALID_INPUT', message: expect.stringContaining(message) },
      })
    const stale = { text: '{"policies": []}', basedOn: basedOn + 1 }
    expect(await xia.request('policies.save', stale)).toMatchObject({
      message: expect.stringContaining('Somebody else changed the policies'),
    })
    expect((await list(xia)).length).toBe(waiting)
  })

  test('nothing is requested that waits for nobody, or does not fit', async () => {
    const ray = await console.local('ray', 'admin')
    expect(await ray.request('keys.create', readKey)).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await ray.request('keys.create', { ...fullKey, name: '!' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    for (let index = 0; index < 20; index++)
      expect(await ray.request('keys.create', fullKey)).toMatchObject({ status: 200 })
    expect(await ray.request('keys.create', fullKey)).toMatchObject({ code: 'RATE_LIMITED' })
  })
})
