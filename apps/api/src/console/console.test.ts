/** @module-tag all */
import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { networkConfig } from '@lanyard/networks'
import express from 'express'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { Authenticator, encodeCbor, type RequestOptions } from '../../test/passkeys/authenticator.ts'
import { type Service, startService } from '../app/server.ts'
import { createWebhookEndpoint } from '../domain/events/webhooks/webhook-endpoints.ts'
import { changeRole, disableOperator, inviteOperator } from '../domain/operators/manage-operators.ts'
import { type OperatorRole, operatorRoles } from '../domain/operators/operator-roles.ts'
import { openSession, type SignedInOperator } from '../domain/operators/operator-sessions.ts'
import type { AuditEntry } from '../platform/audit/entry.ts'
import { findProblem } from '../platform/audit/read-audit-log.ts'
import { type Act, recordAct } from '../platform/audit/record-act.ts'
import { readEnv } from '../platform/environment/env.ts'
import { createAuditExport } from './audit-export.ts'
import { consoleRouter } from './console-router.ts'
import { procedureRoles } from './console-trpc.ts'
import { confirmedActs, isConfirmedAct } from './guarded-acts.ts'

let database: TestDatabase
let service: Service
let origin: string
const logged: { readonly requestId?: string; readonly code?: string }[] = []
/** A session's cookie for each role. */
const cookies = new Map<OperatorRole, string>()
/** The passkey of each session's operator, by the cookie. */
const passkeys = new Map<string, Authenticator>()

async function signInAs(name: string, role: OperatorRole): Promise<string> {
  return database.db.transaction().execute(async (transaction) => {
    const now = new Date()
    const invitation = await inviteOperator(transaction, { name, role }, now)
    const operatorId = invitation?.operator.id ?? ''
    const { token } = await openSession(transaction, { operatorId, address: '::1', userAgent: 'test', now })
    const passkey = new Authenticator(origin)
    await transaction
      .insertInto('operator_passkeys')
      .values({
        ...{ id: passkey.id, operator_id: operatorId, public_key: encodeCbor(passkey.cosePublicKey()) },
        ...{ counter: 0, backup_eligible: false, transports: '[]', created_at: now },
      })
      .execute()
    const cookie = `lanyard-console=${token}`
    passkeys.set(cookie, passkey)
    return cookie
  })
}

beforeAll(async () => {
  database = await freshDatabase()
  const env = readEnv({
    ...{ PORT: '0', CONSOLE_PORT: '0', NODE_ENV: 'test', ROLES: 'admin', RATE_LIMITS: 'off' },
  })
  // Nothing listens there: the console shows what it can without networks.
  const networks = [
    networkConfig.parse({ chainId: 1, name: 'Test', rpcUrls: ['http://127.0.0.1:9'], local: true }),
  ]
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line)) })
  service = await startService(env, { database, networks, log })
  origin = service.console?.origin ?? ''
  for (const role of operatorRoles) cookies.set(role, await signInAs(`a-${role}`, role))
})
afterAll(async () => {
  await service?.close()
  await database?.[Symbol.asyncDispose]()
})

const procedures = Object.entries(consoleRouter._def.procedures).map(([path, procedure]) => ({
  path,
  type: (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def.type,
}))

interface Called {
  readonly cookie?: string | undefined
  readonly input?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The header with which the passkey of a session confirms an act. */
async function confirmed(act: string, { cookie = '', input = {} }: Called) {
  const passkey = passkeys.get(cookie)
  if (!passkey || !confirmedActs.some((one) => one === act)) return {}
  const { data } = await call('approvals.confirmation', { cookie, input: { act, input } })
  if (data === undefined) return {}
  const { options } = data as { options: RequestOptions }
  return {
    'lanyard-confirmation': Buffer.from(JSON.stringify(passkey.get(options))).toString('base64url'),
  }
}

/** An act with its confirmation. */
const act = async (path: string, called: Called) =>
  call(path, { ...called, headers: await confirmed(path, called) })

async function call(path: string, { cookie, input, headers }: Called) {
  const type = procedures.find((one) => one.path === path)?.type
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const response = await fetch(`${origin}/trpc/${path}${type === 'query' ? query : ''}`, {
    method: type === 'query' ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', origin, ...(cookie && { cookie }), ...headers },
    ...(type === 'mutation' && { body: JSON.stringify(input ?? {}) }),
  })
  const body = (await response.json()) as {
    result?: { data: unknown }
    error?: { data: { code: string; message: string } }
  }
  const { code, message } = body.error?.data ?? {}
  return { status: response.status, data: body.result?.data, code, message, response }
}

/** Acts that the role walk must not let succeed, since they would end the sessions that it uses. */
const codesOfAdmitted = (code: string | undefined) => code !== 'FORBIDDEN' && code !== 'UNAUTHORIZED'

describe('access', () => {
  test('every procedure declares its role, and no role is declared for nothing', () => {
    expect(Object.keys(procedureRoles).sort()).toEqual(procedures.map(({ path }) => path).sort())
  })

  test.each(operatorRoles)('%s may call what its role includes, and nothing else', async (role) => {
    for (const { path } of procedures) {
      const needed = procedureRoles[path]
      // An input that fits none, so that no act happens: the role is checked before it is read.
      if (needed === 'anyone' || path === 'session.signOut') continue
      const { code } = await call(path, { cookie: cookies.get(role), input: { none: true } })
      const isIncluded = needed && operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed)
      expect({ path, admitted: codesOfAdmitted(code) }).toEqual({ path, admitted: isIncluded })
    }
  })

  test('what changes something is confirmed by a passkey, except these', () => {
    const unconfirmed = procedures.filter(
      ({ path, type }) => type === 'mutation' && procedureRoles[path] !== 'anyone' && !isConfirmedAct(path),
    )
    expect(unconfirmed.map(({ path }) => path).sort()).toEqual([
      // They are, or ask for, a confirmation.
      ...['approvals.confirmation', 'approvals.reject', 'approvals.request', 'approvals.withdraw'],
      'policies.dryRun', // changes nothing
      // The first passkey; a further one is confirmed.
      ...['session.addPasskey', 'session.passkeyOptions', 'session.signOut'],
      'webhooks.test', // sends an invented event
    ])
  })

  test('without a session only the sign-in answers', async () => {
    for (const { path } of procedures.filter((one) => procedureRoles[one.path] !== 'anyone')) {
      expect(await call(path, {})).toMatchObject({ code: 'UNAUTHORIZED' })
    }
    expect(await call('session.current', {})).toMatchObject({ status: 200, data: null })
    const cookie = `lanyard-console=${'A'.repeat(43)}`
    expect(await call('overview.read', { cookie })).toMatchObject({ status: 401 })
  })
})

describe('requests', () => {
  const cookie = () => cookies.get('admin')

  test('another page cannot act with the cookie of an operator', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      expect(await call('keys.create', { cookie: cookie(), headers })).toMatchObject({ code: 'FORBIDDEN' })
    }
    const headers = { 'sec-fetch-site': 'same-site' } // a page on another port of this host
    expect(await call('keys.list', { cookie: cookie(), headers })).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a name that was rebound to this address gets nothing', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: 'evil.example', cookie: cookie() }
      request(`${origin}/trpc/overview.read`, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })

  test('answers carry strict headers', async () => {
    const { response } = await call('session.current', {})
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('an error before a procedure is logged under the id of its answer', async () => {
    const headers = { 'content-type': 'text/plain' }
    const { status, response } = await call('keys.create', { cookie: cookie(), headers })
    expect(status).toBe(415)
    const requestId = response.headers.get('x-request-id')
    expect(logged).toContainEqual(expect.objectContaining({ requestId, code: 'UNSUPPORTED_MEDIA_TYPE' }))
  })

  test('a path that cannot be decoded is no failure of the service', async () => {
    expect((await fetch(`${origin}/%E0%A4%A`)).status).toBe(404)
  })

  test('the overview shows networks that do not answer', async () => {
    const { data } = await call('overview.read', { cookie: cookie() })
    expect(data).toMatchObject({
      status: 'down',
      networks: [{ network: 1, name: 'Test', status: 'down' }],
      concerns: [expect.objectContaining({ level: 'error', title: 'Test does not answer' })],
    })
  })
})

describe('acts', () => {
  const lastActs = async () =>
    database.db
      .selectFrom('audit_log')
      .select(['actor', 'act', 'subject'])
      .orderBy('position', 'desc')
      .execute()

  test('a key is made and revoked with a row of the audit log each, and a failed act leaves none', async () => {
    const cookie = cookies.get('operator')
    const input = { kind: 'secret', name: 'server', origins: [], scope: 'read' }
    const { id } = (await act('keys.create', { cookie, input })).data as { id: string }
    expect(await act('keys.revoke', { cookie, input: { id } })).toMatchObject({ status: 200 })
    expect((await lastActs()).slice(0, 2)).toEqual([
      { actor: 'console:a-operator', act: 'key.revoke', subject: id },
      { actor: 'console:a-operator', act: 'key.create', subject: id },
    ])
    const before = await lastActs()
    expect(await act('keys.revoke', { cookie, input: { id } })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await lastActs()).toEqual(before)
  })

  test('a role that is taken away, and a disabled operator, act no more', async () => {
    const cookie = await signInAs('bob', 'operator')
    const input = { kind: 'secret', name: 'bob', origins: [], scope: 'read' }
    expect(await act('keys.create', { cookie, input })).toMatchObject({ status: 200 })
    await database.db.transaction().execute((transaction) => changeRole(transaction, 'bob', 'viewer'))
    expect(await act('keys.create', { cookie, input })).toMatchObject({ code: 'FORBIDDEN' })
    await database.db.transaction().execute((transaction) => disableOperator(transaction, 'bob', new Date()))
    expect(await call('overview.read', { cookie })).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('only an administrator makes a secret key that may do everything', async () => {
    const full = { kind: 'secret', name: 'powerful', origins: [] }
    const asOperator = { cookie: cookies.get('operator') }
    expect(await act('keys.create', { ...asOperator, input: full })).toMatchObject({ code: 'FORBIDDEN' })
    const page = { kind: 'publishable', name: 'page', origins: ['https://shop.example'] }
    for (const input of [{ ...full, scope: 'metrics' }, page])
      expect(await act('keys.create', { ...asOperator, input })).toMatchObject({ status: 200 })
    const asAdmin = { cookie: cookies.get('admin') }
    expect(await act('keys.create', { ...asAdmin, input: full })).toMatchObject({ status: 200 })
  })

  test('an administrator invites no passkey into the name of somebody who has one', async () => {
    const cookie = cookies.get('admin')
    await signInAs('eve', 'admin')
    const eve = database.db.selectFrom('operators').select('id').where('name', '=', 'eve')
    const { id: operator_id } = await eve.executeTakeFirstOrThrow()
    const passkey = { id: 'a passkey', operator_id, public_key: new Uint8Array(1), transports: '[]' }
    await database.db
      .insertInto('operator_passkeys')
      .values({ ...passkey, counter: 0, backup_eligible: false, created_at: new Date() })
      .execute()
    const before = await lastActs()
    expect(await act('operators.invite', { cookie, input: { name: 'eve', role: 'admin' } })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(await lastActs()).toEqual(before)
    // Another passkey for oneself, and a new link for an invitation that was not used.
    for (const name of ['a-admin', 'frank', 'frank'])
      expect(await act('operators.invite', { cookie, input: { name, role: 'viewer' } })).toMatchObject({
        status: 200,
      })
  })

  test('a session ends where an administrator ends it, after an idle hour, and after twelve', async () => {
    const cookie = await signInAs('carol', 'viewer')
    const listed = await call('operators.list', { cookie: cookies.get('admin') })
    const { sessions } = listed.data as { sessions: { id: string; operator: string }[] }
    const id = sessions.find(({ operator }) => operator === 'carol')?.id
    expect(
      await act('operators.revokeSession', { cookie: cookies.get('admin'), input: { id } }),
    ).toMatchObject({
      status: 200,
    })
    expect(await call('overview.read', { cookie })).toMatchObject({ code: 'UNAUTHORIZED' })
    for (const past of [{ last_seen_at: new Date(Date.now() - 3_700_000) }, { expires_at: new Date(0) }]) {
      const other = await signInAs('carol', 'viewer')
      expect(await call('session.current', { cookie: other })).toMatchObject({ data: { name: 'carol' } })
      await database.db
        .updateTable('operator_sessions')
        .set(past)
        .where('revoked_at', 'is', null)
        .where('operator_id', '=', (eb) =>
          eb.selectFrom('operators').select('id').where('name', '=', 'carol'),
        )
        .execute()
      expect(await call('session.current', { cookie: other })).toMatchObject({ data: null })
    }
  })

  test('no procedure that takes a token is a query: a query string is in the logs of proxies', () => {
    const withToken = procedures.filter(({ path }) => /^session\.(invitation|accept)/.test(path))
    expect(withToken.map(({ type }) => type)).toEqual(['mutation', 'mutation', 'mutation'])
  })

  test('an invitation that is unknown, or was replaced, opens nothing', async () => {
    const invite = () =>
      database.db
        .transaction()
        .execute((transaction) => inviteOperator(transaction, { name: 'dora', role: 'viewer' }, new Date()))
    const first = await invite()
    const second = await invite()
    const open = (token: string | undefined) => call('session.invitation', { input: { token } })
    expect(await open(first?.token)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await open(second?.token)).toMatchObject({ data: { name: 'dora', role: 'viewer' } })
    expect(await open('A'.repeat(43))).toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('policies', () => {
  const cookie = () => cookies.get('operator')
  interface Listed {
    readonly number: number
    readonly draft: string
    readonly edit: { readonly editor: string } | null
    readonly policies: readonly { readonly id: string }[]
  }
  const list = async () => (await call('policies.list', { cookie: cookie() })).data as Listed
  const draft = (...policies: object[]) => JSON.stringify({ policies })
  const shop = {
    id: 'shop',
    budgets: { day: { wei: '1000' } },
    calls: [{ functions: ['transfer(address,uint256)'] }],
  }
  const lastAct = () =>
    database.db.selectFrom('audit_log').selectAll().orderBy('position', 'desc').executeTakeFirstOrThrow()

  test('an edit counts at once, says who made it, and is in the audit log; discarding it returns to the start', async () => {
    const before = await list()
    expect(before).toMatchObject({ number: 0, edit: null })
    const blocked = { id: 'blocked', effect: 'deny', calls: [{ functions: ['0x'] }] }
    const saved = await act('policies.save', {
      cookie: cookie(),
      input: { text: draft(shop, blocked), basedOn: 0 },
    })
    expect(saved.data).toEqual({ number: 1 })
    const after = await list()
    expect(after).toMatchObject({ number: 1, edit: { editor: 'a-operator' } })
    expect(after.policies.map(({ id }) => id)).toEqual(['shop', 'blocked'])
    expect(service.services.project.policies.list.map(({ id }) => id)).toEqual(['shop', 'blocked'])
    expect(await lastAct()).toMatchObject({
      ...{ actor: 'console:a-operator', act: 'policies.edit', subject: '1' },
      after: { order: ['shop', 'blocked'], changed: [{ id: 'shop' }, { id: 'blocked' }] },
    })
    // What the console shows can be put into force again, and is the same.
    await act('policies.save', { cookie: cookie(), input: { text: after.draft, basedOn: 1 } })
    expect(await list()).toMatchObject({ number: 2, draft: after.draft })
    expect(await lastAct()).toMatchObject({ before: { changed: [] }, after: { changed: [] } })
    await act('policies.discard', { cookie: cookie(), input: { basedOn: 2 } })
    expect(await list()).toMatchObject({ number: 3, edit: null, draft: before.draft })
    expect(await lastAct()).toMatchObject({ act: 'policies.discard', subject: '3' })
  })

  test('of two that edit at once, the second is told; nothing of it is written', async () => {
    const { number } = await list()
    const input = { text: draft(shop), basedOn: number }
    const answers = await Promise.all([1, 2].map(() => act('policies.save', { cookie: cookie(), input })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await list()).toMatchObject({ number: number + 1 })
    expect((await lastAct()).subject).toBe(String(number + 1))
  })

  test.each([
    ['no JSON', '{'],
    ['a policy without a budget', draft({ id: 'free', budgets: {} })],
    ['a network that is not configured', draft({ ...shop, networks: [5] })],
    ['a paymaster of its own', draft({ ...shop, networks: [1], paymaster: { url: 'https://evil.example' } })],
    ['a paymaster that the file does not have', draft({ ...shop, paymaster: 'file' })],
  ])('a draft with %s changes nothing', async (_, text) => {
    const { number } = await list()
    for (const path of ['policies.save', 'policies.dryRun']) {
      const input = path === 'policies.save' ? { text, basedOn: number } : { text }
      expect(await act(path, { cookie: cookie(), input })).toMatchObject({ code: 'INVALID_INPUT' })
    }
    expect(await list()).toMatchObject({ number })
  })

  test('another process reads an edit when it refreshes, and keeps its policies if the edit does not fit it', async () => {
    const { db } = database
    const policies = service.services.project.policies
    const last = policies.number()
    const write = (number: number, list: unknown) =>
      db
        .insertInto('gas_policy_edits')
        .values({ number, policies: JSON.stringify(list), editor: 'elsewhere', created_at: new Date() })
        .execute()
    await write(last + 1, [{ id: 'elsewhere', budgets: { day: { wei: '1' } } }])
    await policies.refresh()
    expect(service.services.project.policies.list.map(({ id }) => id)).toEqual(['elsewhere'])
    await write(last + 2, [{ id: 'newer', budgets: { day: { wei: '1' } }, unknown: true }])
    await policies.refresh()
    expect(service.services.project.policies.list.map(({ id }) => id)).toEqual(['elsewhere'])
  })
})

describe('the export of the audit log', () => {
  const exported = (query: string, role?: OperatorRole, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${origin}/audit/export?${query}`, {
      headers: { ...(role && { cookie: cookies.get(role) ?? '' }), ...headers },
    })
  const record = (acts: readonly Partial<Act>[]) =>
    database.db.transaction().execute(async (transaction) => {
      for (const act of acts)
        await recordAct(transaction, { actor: 'cli:alice', source: 'bastion', act: 'key.create', ...act })
    })

  test.each(operatorRoles)('%s gets it if the role reads the audit log', async (role) => {
    const answer = await exported('format=csv', role)
    await answer.text()
    expect(answer.status).toBe(['operator', 'admin'].includes(role) ? 200 : 403)
  })

  test('nobody else gets it, and no other page', async () => {
    expect((await exported('format=csv')).status).toBe(401)
    expect((await exported('format=csv', 'admin', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await exported('format=xls', 'admin')).status).toBe(400)
    expect((await exported('format=csv&from=yesterday', 'admin')).status).toBe(400)
  })

  test.each(['act', 'actor', 'text'])('error: NUL in %s', async (name) => {
    expect((await exported(`format=csv&${name}=a%00`, 'admin')).status).toBe(400)
    const { code } = await call('audit.list', {
      cookie: cookies.get('admin'),
      input: { [name]: 'a\u0000' },
    })
    expect(code).toBe('INVALID_INPUT')
  })

  describe('a log that takes long to send', () => {
    /** More than the sockets of a reader that does not read take. */
    beforeAll(async () => {
      await sql`
        insert into audit_log (position, at, actor, source, act, subject, before, after, previous_hash, hash)
        select 1000000 + n, now(), 'cli:x', 's', 'long.test', 'x', null, to_jsonb(repeat('a', 8000)),
          repeat('0', 64), repeat('0', 64)
        from generate_series(1, 2000) n`.execute(database.db)
    })

    /** The answer to one who reads nothing of it yet. */
    const begin = async (url: string, cookie: string) => {
      const [answer] = (await once(
        get(`${url}/audit/export?format=ndjson&act=long.test`, { headers: { cookie }, agent: false }),
        'response',
      )) as [IncomingMessage]
      return answer
    }

    test('attack: an operator who reads nothing has one, and delays no other', async () => {
      const cookie = await signInAs('slow', 'operator')
      const held = await begin(origin, cookie)
      const second = await fetch(`${origin}/audit/export?format=csv`, { headers: { cookie } })
      expect(second.status).toBe(429)
      const other = await exported('format=csv&act=none', 'admin')
      expect([other.status, (await other.text()).split('\r\n').length]).toEqual([200, 2])
      held.destroy()
      await expect
        .poll(async () => {
          const answer = await fetch(`${origin}/audit/export?format=csv&act=none`, { headers: { cookie } })
          await answer.text()
          return answer.status
        })
        .toBe(200)
    })

    test('attack: it ends with the session', async () => {
      const cookie = await signInAs('leaver', 'operator')
      const answer = await begin(origin, cookie)
      await database.db
        .transaction()
        .execute((transaction) => disableOperator(transaction, 'leaver', new Date()))
      await expect(text(answer)).rejects.toThrow('aborted')
    })

    test('attack: it ends if its reader reads nothing', async () => {
      const { log, closing } = service.services
      const send = createAuditExport({ database: database.db, log, closing, maxStall: 50 })
      const reader: SignedInOperator = {
        ...{ id: 'opr_reader', name: 'reader', role: 'operator', sessionId: 's', address: '::1' },
        ...{ expiresAt: new Date(), isBreakGlass: false, identity: undefined, proof: undefined },
      }
      const ended = Promise.withResolvers<void>()
      const app = express().get('/audit/export', async (request, response) => {
        await send(request, response, async () => reader)
        ended.resolve()
      })
      const server = app.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const answer = await begin(`http://127.0.0.1:${port}`, '')
      await ended.promise
      await expect(text(answer)).rejects.toThrow('aborted')
      server.close()
    })
  })

  test('it has what the filters leave, and as many lines as are counted', async () => {
    const subjects = ['one', 'two', 'three_3', 'threex3']
    await record(subjects.map((subject) => ({ act: 'export.test', subject })))
    const cookie = cookies.get('operator')
    for (const [text, count] of [
      [undefined, 4],
      ['three_3', 1], // no wildcard
      ['%', 0],
    ] as const) {
      const input = { act: 'export.test', ...(text !== undefined && { text }) }
      expect((await call('audit.count', { cookie, input })).data).toEqual({ count, isMore: false })
      const lines = await (await exported(`format=ndjson&${new URLSearchParams(input)}`, 'operator')).text()
      expect(lines.split('\n').filter((line) => line !== '')).toHaveLength(count)
    }
    // The lines are those of `lanyard audit export`: each has its hash.
    const [line = ''] = (await (await exported('format=ndjson&act=export.test', 'operator')).text()).split(
      '\n',
    )
    expect(findProblem(JSON.parse(line) as AuditEntry, undefined)).toBeUndefined()
  })

  test('attack: a name cannot be a formula in a spreadsheet, nor end its cell', async () => {
    const names = [
      '=HYPERLINK("http://evil")',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      ' =1',
      '\u200b=1',
      'a","=1',
      'Anna;=1',
    ]
    await record(names.map((subject) => ({ act: 'export.formula', subject })))
    const text = await (await exported('format=csv&act=export.formula', 'operator')).text()
    const cells = text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',"').at(5) ?? '')
    expect(cells).toHaveLength(names.length)
    expect(cells.filter((cell) => /^[\s\u200b]*[=+@-]/.test(cell))).toEqual([])
    expect(text).toContain('"a"",""=1"')
    // Where the comma separates decimals, a spreadsheet splits at semicolons.
    expect(text).toContain(`"Anna;'=1"`)
  })

  test('attack: an act that hides characters shows them', async () => {
    await record([{ act: 'export.hidden', subject: 'a\u202eb', after: { name: '<img src=x>\u200b' } }])
    const { data } = await call('audit.list', {
      cookie: cookies.get('operator'),
      input: { act: 'export.hidden' },
    })
    expect(data).toMatchObject({
      entries: [
        { subject: 'a\\u202eb', changes: [{ name: 'name', removed: [], added: ['<img src=x>\\u200b'] }] },
      ],
    })
  })

  test('behavior: an edit of policies shows only what differs, in coins', async () => {
    const policy = (wei: string, networks: readonly number[]) => ({
      ...{ id: 'shop', effect: 'allow', networks, budgets: { day: { wei } } },
    })
    await record([
      {
        ...{ act: 'policies.edit', subject: '9' },
        before: { order: ['shop'], changed: [policy('50000000000000000', [1])] },
        after: { order: ['shop'], changed: [policy('100000000000000000', [1, 5])] },
      },
    ])
    const { data } = await call('audit.list', {
      cookie: cookies.get('operator'),
      input: { act: 'policies.edit', text: '9' },
    })
    expect(data).toMatchObject({
      entries: [
        {
          same: 1,
          changes: [
            { name: 'cost for all accounts in a day', removed: ['0.05 ETH'], added: ['0.1 ETH'] },
            { of: 'shop', name: 'networks', removed: [], added: ['5'] },
          ],
        },
      ],
    })
  })
})

test('a test of a webhook is asked for once, and says what the receiver answered', async () => {
  const cookie = cookies.get('support')
  const { id } = await database.db
    .transaction()
    .execute((transaction) =>
      createWebhookEndpoint(
        transaction,
        { keyName: 'server', url: 'http://127.0.0.1:9/hook', types: [], accounts: [] },
        { isLocal: true, encryptionKey: undefined, now: new Date() },
      ),
    )
  const input = { id }
  expect(await call('webhooks.lastTest', { cookie, input })).toMatchObject({ data: null })
  expect(await call('webhooks.test', { cookie, input })).toMatchObject({ status: 200 })
  expect(await call('webhooks.test', { cookie, input })).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await call('webhooks.lastTest', { cookie, input })).toMatchObject({ data: { answeredAt: null } })
  await database.db
    .updateTable('webhook_tests')
    .set({ answered_at: new Date(), status: 204, answer: '' })
    .execute()
  expect(await call('webhooks.lastTest', { cookie, input })).toMatchObject({ data: { status: 204 } })
  expect(await call('webhooks.test', { cookie, input })).toMatchObject({ status: 200 })
})

describe('changes', () => {
  test('only a page of the console with a session gets them', async () => {
    expect((await fetch(`${origin}/changes`)).status).toBe(401)
    const headers = { cookie: cookies.get('viewer') ?? '', 'sec-fetch-site': 'cross-site' }
    expect((await fetch(`${origin}/changes`, { headers })).status).toBe(403)
  })

  test('an event is told by its kind alone', async () => {
    const stop = new AbortController()
    const headers = { cookie: cookies.get('viewer') ?? '' }
    const response = await fetch(`${origin}/changes`, { headers, signal: stop.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader?.read())?.value ?? ''
    }
    await until('retry')
    const publish = () =>
      database.db
        .insertInto('events')
        .values({
          ...{ type: 'operation.included', account: `0x${'a'.repeat(40)}`, network: 1, data: '{}' },
          position: null,
        })
        .execute()
    await publish()
    const again = setInterval(() => void publish(), 500) // the stream begins with the next event
    await until('data')
    clearInterval(again)
    stop.abort()
    expect(text).toContain('data: ["operation"]\n\n')
    expect(text).not.toContain('0xa')
  })
})

test('production refuses a console that could ask for the passkeys of users', () => {
  const production = {
    ...{
      NODE_ENV: 'production',
      DATABASE_URL: 'postgresql://localhost/x',
      ROLES: 'admin',
      RP_ID: 'w.example',
    },
  }
  expect(() => readEnv(production)).toThrow('CONSOLE_ORIGIN: needed in production')
  expect(() => readEnv({ ...production, CONSOLE_ORIGIN: 'https://console.w.example' })).toThrow(
    'must be outside of RP_ID',
  )
  expect(() => readEnv({ ...production, CONSOLE_ORIGIN: 'http://console.example' })).toThrow(
    'https is needed',
  )
  expect(readEnv({ ...production, CONSOLE_ORIGIN: 'https://console.example' }).ROLES).toEqual(['admin'])
})

describe('wrong input', () => {
  test('a limit is named in plain words', async () => {
    const input = { text: '{}', operations: 500 }
    const { response: _, ...answer } = await call('policies.dryRun', { cookie: cookies.get('admin'), input })
    expect(answer).toMatchObject({ status: 400, message: 'operations: Expected a number: at most 200' })
  })

  test('no procedure answers in the words of the schema library', () => {
    const wrong = [5, -1, 1e12, 1.5, '', 'x', 'x'.repeat(20_000), [], {}, { a: 1 }, true, null]
    const said = Object.values(consoleRouter._def.procedures).flatMap((procedure) =>
      (procedure as unknown as { _def: { inputs: readonly z.ZodObject[] } })._def.inputs.flatMap((schema) =>
        Object.keys(schema.shape).flatMap((field) =>
          wrong.flatMap((value) => schema.safeParse({ [field]: value }).error?.issues ?? []),
        ),
      ),
    )
    expect(said.length).toBeGreaterThan(200)
    const stock = /^(Invalid|Too|Unrecognized)|received/
    expect([...new Set(said.map(({ message }) => message))].filter((words) => stock.test(words))).toEqual([])
  })
})
