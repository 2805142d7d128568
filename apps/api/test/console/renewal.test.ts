/** @module-tag all */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { streamDuration } from '../../src/domain/operators/provider-sessions.ts'
import { startConsole, type TestConsole } from './start-console.ts'

let console: TestConsole
beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console?.[Symbol.asyncDispose]())
beforeEach(() => console.provider.answer('well'))

const minute = 60_000

test('whom the provider removes from the group has no access within a minute, and the audit log says why', async () => {
  const browser = await console.person('alice', ['lanyard-admins'])
  const input = { kind: 'secret', name: 'a', scope: 'read' }
  expect(await browser.act('keys.create', input)).toMatchObject({ status: 200 })
  console.provider.is('alice', { groups: ['other'] })
  console.pass(minute)
  expect(await browser.call('overview.read')).toMatchObject({ code: 'UNAUTHORIZED' })
  expect((await browser.visit(`${console.origin}/changes`)).status).toBe(401)
  expect((await console.audit()).at(-1)).toMatchObject({
    ...{ act: 'operator.session-end', identity: { subject: 'alice' } },
    after: { reason: 'no group of this person has a role' },
  })
})

test('whom the provider deletes has no access within a minute', async () => {
  const browser = await console.person('bob', ['support'])
  console.provider.people.delete('bob')
  console.pass(minute)
  expect(await browser.call('keys.list')).toMatchObject({ code: 'UNAUTHORIZED' })
  expect((await console.audit()).at(-1)).toMatchObject({ act: 'operator.session-end' })
})

test('another group is another role within a minute', async () => {
  const browser = await console.person('carol', ['lanyard-admins'])
  console.provider.is('carol', { groups: ['support'] })
  console.pass(minute)
  expect((await browser.call('session.current')).data).toMatchObject({ role: 'viewer' })
  expect(await browser.call('operators.list')).toMatchObject({ code: 'FORBIDDEN' })
  expect((await console.audit()).at(-1)).toMatchObject({
    ...{ act: 'operator.role', before: { role: 'admin' } },
    after: { role: 'viewer', by: 'identity provider' },
  })
})

test('of many requests at once one asks the provider, whose refresh tokens work once', async () => {
  const browser = await console.person('dave', ['support'])
  for (let renewal = 0; renewal < 3; renewal++) {
    console.pass(minute)
    const before = console.provider.requests()
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.call('keys.list')))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(console.provider.requests() - before).toBeLessThanOrEqual(2) // and perhaps its keys
  }
})

test('a provider that renews slowly keeps the session: it may have spent the refresh token before its answer', async () => {
  const browser = await console.person('kim', ['support'])
  console.pass(minute)
  console.provider.answer('after four seconds')
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
  console.provider.answer('well')
  console.pass(minute)
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
})

test('while the provider does not answer its people read for five minutes, and act on nothing', async () => {
  const browser = await console.person('erin', ['lanyard-admins'])
  console.pass(minute - 5_000)
  const input = { kind: 'secret', name: 'e', scope: 'read' }
  const { headers } = await browser.confirm('keys.create', input)
  console.provider.answer('with an error')
  console.pass(minute)
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
  expect(await browser.call('keys.create', { input, headers })).toMatchObject({ code: 'FORBIDDEN' })
  console.pass(3 * minute)
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
  console.pass(minute + 30_000)
  expect(await browser.call('keys.list')).toMatchObject({ code: 'UNAUTHORIZED' })
  console.provider.answer('well')
  expect(await browser.call('keys.list')).toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a session that nobody used for a while is proved before it reads anything', async () => {
  const browser = await console.person('fay', ['support'])
  console.provider.people.delete('fay')
  console.pass(4 * minute)
  const answers = await Promise.all([1, 2, 3].map(() => browser.call('keys.list')))
  expect(answers.map(({ code }) => code)).toEqual(Array(3).fill('UNAUTHORIZED'))
})

test('a provider that answers again keeps the session', async () => {
  const browser = await console.person('gus', ['support'])
  console.provider.answer('with an error')
  console.pass(minute)
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
  console.provider.answer('well')
  console.pass(11_000)
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
  console.pass(6 * minute)
  expect(await browser.call('keys.list')).toMatchObject({ status: 200 })
})

test('a stream and the word of the provider that opened it last a minute together', () => {
  const now = new Date()
  const after = (age: number) =>
    streamDuration({ proof: { provedAt: new Date(now.getTime() - age), failedAt: null, sealed: '' } }, now)
  expect([0, 10_000, 45_000, 4 * minute].map(after)).toEqual([60_000, 50_000, 15_000, 15_000])
  expect(streamDuration({ proof: undefined }, now)).toBe(Number.POSITIVE_INFINITY)
})

test('a session that expired a week ago is gone, with what the provider gave it', async () => {
  await console.person('ivy', ['support'])
  console.pass((7 * 24 + 13) * 60 * minute)
  await console.person('jon', ['support'])
  const { db } = console.database
  expect(await db.selectFrom('operator_proofs').select('session_id').execute()).toHaveLength(1)
  expect(await db.selectFrom('operator_sessions').select('id').execute()).toHaveLength(1)
})

test('a session whose proof is gone from the database counts for nothing', async () => {
  const browser = await console.person('hal', ['support'])
  await console.database.db.deleteFrom('operator_proofs').execute()
  expect((await browser.call('session.current')).data).toBeNull()
})
