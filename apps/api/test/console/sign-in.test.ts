/** @module-tag all */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyAuditLog } from '../../src/platform/audit/read-audit-log.ts'
import { startConsole, type TestConsole } from './start-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console?.[Symbol.asyncDispose]())
beforeEach(() => console.provider.answer('well'))

const denied = (reason: string) => `${console.origin}/denied/${reason}`

test('a person of a mapped group becomes an operator with its highest role, known by issuer and subject', async () => {
  const { provider, audit, browser: open, database } = console
  provider.is('0b1c', { username: 'Alice <b>A</b>@corp.example', groups: ['support', 'cn=ops', 'other'] })
  const browser = open()
  expect(await browser.signIn('/keys?x=1')).toBe(`${console.origin}/keys?x=1`)
  const { data } = await browser.call('session.current')
  expect(data).toMatchObject({ role: 'operator', hasPasskey: false })
  const { name } = data as { name: string }
  expect(name).toMatch(/^Alice-b-A-b\.[0-9a-f]{10}$/)
  const identity = { issuer: provider.issuer, subject: '0b1c' }
  expect((await audit()).at(-1)).toMatchObject({
    actor: `console:${name}`,
    act: 'operator.sign-in',
    identity,
  })
  expect(await verifyAuditLog(database.db)).toMatchObject({ holds: true })
  // With another name and mail address it is the same operator.
  provider.is('0b1c', { username: 'admin', groups: ['lanyard-admins'] })
  const again = open()
  await again.signIn()
  expect((await again.call('session.current')).data).toMatchObject({ name, role: 'admin' })
  expect(await console.acts()).toContain('operator.role')
})

test('somebody whose subject or name is that of an operator of this house is somebody else', async () => {
  await console.local('root', 'admin')
  const { id } = await console.database.db
    .selectFrom('operators')
    .select('id')
    .where('name', '=', 'root')
    .executeTakeFirstOrThrow()
  for (const sub of ['root', id]) {
    console.provider.is(sub, { username: 'root', groups: ['support'] })
    const browser = console.browser()
    await browser.signIn()
    const { data } = await browser.call('session.current')
    expect(data).toMatchObject({ role: 'viewer', hasPasskey: false })
    expect((data as { name: string }).name).not.toBe('root')
  }
})

test.each([
  ['no group', []],
  ['a group without a role', ['Lanyard-Admins']],
  ['something that is no list', 'admin'],
])('nobody gets in with %s; the page and the audit log say so', async (_, groups) => {
  console.provider.is('outsider', { username: 'outsider', groups })
  const browser = console.browser()
  const end = await browser.signIn()
  expect(end).toBe(denied('no-group'))
  expect((await browser.visit(end)).status).toSatisfy((status) => status === 403 || status === 503) // 503: not built
  expect((await browser.call('session.current')).data).toBeNull()
  expect((await console.audit()).at(-1)).toMatchObject({
    ...{ act: 'operator.refuse', after: { reason: 'no-group' } },
    identity: { issuer: console.provider.issuer, subject: 'outsider' },
  })
})

test('an operator who is disabled here does not come back through the provider', async () => {
  const browser = await console.person('dora', ['support'])
  const { name } = (await browser.call('session.current')).data as { name: string }
  const admin = await console.local('chief', 'admin')
  expect(await admin.act('operators.disable', { name })).toMatchObject({ status: 200 })
  expect(await browser.call('overview.read')).toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await browser.signIn()).toBe(denied('disabled'))
})

test.each([
  '//evil.example',
  'https://evil.example/x',
  '/\\evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '/sso/start',
  '/invitation#x',
])('after the sign-in the browser stays here: %s', async (to) => {
  console.provider.is('alice', { groups: ['support'] })
  expect(await console.browser().signIn(to)).toBe(`${console.origin}/`)
})

test('somebody without access leaves one row of the audit log an hour, however often they come', async () => {
  console.provider.is('visitor', { groups: ['other'] })
  const refusals = async () =>
    (await console.audit()).filter(
      ({ act, identity }) =>
        act === 'operator.refuse' && (identity as { subject?: string } | null)?.subject === 'visitor',
    ).length
  for (let time = 0; time < 3; time++) expect(await console.browser().signIn()).toBe(denied('no-group'))
  expect(await refusals()).toBe(1)
  console.pass(60 * 60_000 + 60_000)
  await console.browser().signIn()
  expect(await refusals()).toBe(2)
})

/** Goes to the provider and stops before the way back. */
async function untilCallback(browser = console.browser()) {
  console.provider.is('alice', { groups: ['support'] })
  const callback = await browser.follow(`${console.origin}/sso/start`, /\/sso\/callback\?/)
  return { browser, callback: new URL(callback) }
}

test('a way back that another browser began, or nobody, opens nothing: no login CSRF', async () => {
  const { callback } = await untilCallback()
  const victim = console.browser()
  expect(await victim.follow(callback.href)).toBe(denied('other-browser'))
  // It has begun its own, so it has a cookie: the state does not fit.
  const other = await untilCallback()
  expect(await other.browser.follow(callback.href)).toBe(denied('refused'))
  expect((await other.browser.call('session.current')).data).toBeNull()
})

test.each<[string, (query: URLSearchParams) => void]>([
  ['no state', (query) => query.delete('state')],
  ['another state', (query) => query.set('state', 'A'.repeat(43))],
  ['two states', (query) => query.append('state', 'A'.repeat(43))],
  ['another issuer (RFC 9207)', (query) => query.set('iss', 'https://evil.example')],
  ['no issuer, though the provider names itself', (query) => query.delete('iss')],
  ['another code', (query) => query.set('code', 'A'.repeat(43))],
  ['no code', (query) => query.delete('code')],
  ['a refusal', (query) => query.set('error', 'access_denied')],
])('a way back with %s opens nothing', async (_, change) => {
  const { browser, callback } = await untilCallback()
  change(callback.searchParams)
  expect(await browser.follow(callback.href)).toBe(denied('refused'))
  expect((await browser.call('session.current')).data).toBeNull()
})

test('a code works once, and each sign-in makes a new session', async () => {
  const { browser, callback } = await untilCallback()
  const fixed = 'A'.repeat(43)
  browser.jar().set('lanyard-console', fixed)
  const flow = [...browser.jar()].find(([name]) => name.endsWith('-sign-in'))
  await browser.follow(callback.href)
  expect(browser.jar().get('lanyard-console')).not.toBe(fixed)
  expect((await browser.call('session.current')).data).toMatchObject({ role: 'viewer' })
  if (flow) browser.jar().set(...flow)
  expect(await browser.follow(callback.href)).toBe(denied('refused'))
})

test('cookies: the session is Strict, the sign-in is Lax, and neither is for scripts', async () => {
  const { browser, callback } = await untilCallback()
  const lines = (await browser.visit(callback.href)).response.headers.getSetCookie()
  expect(lines).toEqual([
    expect.stringMatching(/^lanyard-console-sign-in=;.*HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^lanyard-console=[\w-]{43};.*HttpOnly; SameSite=Strict$/),
  ])
})

test('a provider that does not answer is named, and a rotated key is read again', async () => {
  console.provider.is('alice', { groups: ['support'] })
  const { browser, callback } = await untilCallback()
  console.provider.answer('with an error')
  expect(await browser.follow(callback.href)).toBe(denied('unavailable'))
  console.provider.answer('well')
  await console.provider.rotateKey('second')
  await console.browser().signIn() // perhaps the old key is still known
  const again = console.browser()
  expect(await again.signIn()).toBe(`${console.origin}/`)
})

test('a passkey of a person of the provider signs nobody in', async () => {
  const browser = await console.person('eve', ['support'])
  const { data } = await browser.call('session.signInOptions')
  const response = browser.passkey.get(data as { challenge: string; rpId: string })
  const result = await console.browser().call('session.signIn', { input: { response } })
  expect(result).toMatchObject({ code: 'VERIFICATION_FAILED' })
  expect(result.message).toContain('identity provider')
})

test('a sign-out ends the session here and at the provider', async () => {
  const browser = await console.person('frank', ['support'])
  const { data } = await browser.call('session.signOut')
  const { next } = data as { next: string }
  expect(next).toMatch(new RegExp(`^${console.provider.issuer}/session/end\\?`))
  expect(new URL(next).searchParams.get('post_logout_redirect_uri')).toBe(`${console.origin}/`)
  expect((await browser.call('session.current')).data).toBeNull()
})

test('no token of the provider is in the log or readable in the database', async () => {
  await console.person('grace', ['support'])
  const rows = await console.database.db.selectFrom('operator_proofs').select('sealed').execute()
  expect(rows.length).toBeGreaterThan(0)
  const texts = [...console.logged, ...rows.map(({ sealed }) => Buffer.from(sealed, 'base64url').toString())]
  for (const text of texts) expect(text).not.toMatch(/eyJ|refreshToken|a-secret-of-the-console/)
})
