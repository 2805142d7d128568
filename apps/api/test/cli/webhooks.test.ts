import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishEvents } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverWebhooks } from '../../src/domain/events/webhooks/deliver-webhooks.ts'
import { postWebhook } from '../../src/domain/events/webhooks/post-webhook.ts'
import { runInProcess } from './run-in-process.ts'

let database: TestDatabase
let url: string
let status = 200
const received: { headers: Record<string, string>; body: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  received.push({ headers: request.headers as Record<string, string>, body })
  response.writeHead(status).end('said')
})
beforeAll(async () => {
  database = await freshDatabase()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  server.close()
  await database?.[Symbol.asyncDispose]()
})

const webhooks = (...args: string[]) => runInProcess({ database }, 'webhooks', ...args, '--json')
const add = async (...more: string[]) => (await webhooks('add', url, '--key', 'server', ...more)).json()

test('default: a webhook is added, tested, listed, rotated and removed', async () => {
  const { id, secret } = await add('--type', 'operation.*', '--type', 'order.settled')
  expect((await webhooks('test', id)).json()).toEqual({ id, status: 200, answer: 'said' })
  const [{ headers = {}, body = '' } = {}] = received
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'webhook.test',
    data: { endpoint: id },
  })

  const listed = await webhooks('list')
  expect(listed.stdout).not.toContain('whsec_')
  expect(listed.json().webhooks).toMatchObject([
    { id, url, keyName: 'server', types: ['operation.*', 'order.settled'], pending: 0, disabledAt: null },
  ])
  const rotated = (await webhooks('rotate', id)).json()
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(rotated.secret).not.toBe(secret)
  expect((await webhooks('remove', id)).json()).toEqual({ id, removed: true })
  expect((await webhooks('list')).json().webhooks).toEqual([])
})

test('behavior: a missed event is listed and can be redelivered', async () => {
  const { id } = await add()
  await webhooks('disable', id)
  await database.db
    .insertInto('events')
    .values({
      type: 'operation.final',
      account: `0x${'1'.repeat(40)}`,
      network: 1,
      data: '{}',
      position: null,
    })
    .execute()
  await publishEvents(database.db, new Date())
  const missed = (await webhooks('deliveries', id, '--state', 'missed')).json().deliveries
  expect(missed).toMatchObject([{ event: 'evt_1', type: 'operation.final', attempts: 0, status: null }])
  expect((await webhooks('redeliver', id)).json().error.code).toBe('WEBHOOK_DISABLED')
  await webhooks('enable', id)
  expect((await webhooks('redeliver', id, '--event', 'evt_7')).json().error.code).toBe('UNKNOWN_EVENT')
  expect((await webhooks('redeliver', id, '--event', 'evt_1')).json()).toEqual({ id, count: 1 })
  const post = (request: Parameters<typeof postWebhook>[0]) => postWebhook(request, { isLocal: true })
  await deliverWebhooks({
    database: database.db,
    encryptionKey: undefined,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    post,
  })
  expect((await webhooks('deliveries', id)).json().deliveries).toMatchObject([
    { event: 'evt_1', state: 'delivered', status: 200, answer: 'said' },
  ])
  await webhooks('remove', id)
})

test('behavior: TOKEN_KEY encrypts the secret, and a test needs the same key', async () => {
  const tokenKey = () => JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
  const env = { TOKEN_KEY: tokenKey() }
  const withKey = (own: Record<string, string>, ...args: string[]) =>
    runInProcess({ database, env: own }, 'webhooks', ...args, '--json')
  const { id, secret } = (await withKey(env, 'add', url, '--key', 'server')).json()
  expect((await withKey(env, 'test', id)).json()).toMatchObject({ status: 200 })
  const { headers = {}, body = '' } = received.at(-1) ?? {}
  expect(() => new Webhook(secret).verify(body, headers)).not.toThrow()
  for (const other of [{}, { TOKEN_KEY: tokenKey() }] as Record<string, string>[]) {
    expect((await withKey(other, 'test', id)).json().error.code).toBe('SECRET_UNREADABLE')
  }

  const directory = await mkdtemp(join(tmpdir(), 'lanyard-webhooks-'))
  const networks = [
    { chainId: 1, name: 'Real', rpcUrls: ['http://127.0.0.1:1'], finality: { tag: 'finalized' } },
  ]
  await writeFile(join(directory, 'networks.json'), JSON.stringify({ networks }))
  const real = { NETWORKS_FILE: join(directory, 'networks.json') }
  const target = 'https://shop.example/hook'
  for (const args of [
    ['add', target, '--key', 'server'],
    ['rotate', id],
  ]) {
    expect((await withKey(real, ...args)).json().error.code).toBe('NO_TOKEN_KEY')
  }
  const added = await withKey({ ...real, ...env }, 'add', target, '--key', 'server')
  expect(added.code).toBe(0)
  await rm(directory, { recursive: true })
  for (const one of [id, added.json().id]) await webhooks('remove', one)
})

test('behavior: revoking the last secret key of a name disables its webhooks', async () => {
  const keys = (...args: string[]) => runInProcess({ database }, 'keys', ...args, '--json')
  const first = (await keys('create', 'server')).json()
  const second = (await keys('create', 'server')).json()
  const { id } = await add()
  expect((await keys('revoke', first.id)).json().disabledWebhooks).toEqual([])
  expect((await keys('revoke', second.id)).json().disabledWebhooks).toEqual([id])
  expect((await webhooks('list')).json().webhooks).toMatchObject([{ id, disabledReason: 'KEY_REVOKED' }])
  await webhooks('remove', id)
})

test.for([
  [
    'an unknown type',
    ['add', 'https://shop.example', '--key', 'server', '--type', 'operation.x'],
    2,
    'MISUSED',
  ],
  ['a publishable key', ['add', 'https://shop.example', '--key', 'public:shop'], 2, 'MISUSED'],
  ['an empty key', ['add', 'https://shop.example', '--key', ''], 2, 'MISUSED'],
  [
    'a wrong checksum',
    [
      'add',
      'https://shop.example',
      '--key',
      'server',
      '--account',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79c8',
    ],
    2,
    'MISUSED',
  ],
  ['no key', ['add', 'https://shop.example'], 2, 'MISUSED'],
  ['an invalid URL', ['add', 'shop.example', '--key', 'server'], 1, 'TARGET_REFUSED'],
  ['an unknown endpoint', ['test', 'whe_nothing'], 1, 'UNKNOWN_WEBHOOK'],
  ['an invalid event id', ['redeliver', 'whe_nothing', '--event', '7'], 2, 'MISUSED'],
] as const)('error: %s', async ([, args, code, error]) => {
  const ended = await webhooks(...args)
  expect([ended.code, ended.json().error.code]).toEqual([code, error])
})

test('error: an endpoint that does not answer with 2xx fails its test', async () => {
  const { id } = await add()
  status = 500
  const ended = await webhooks('test', id)
  expect([ended.code, ended.json().error]).toEqual([
    1,
    { code: 'WEBHOOK_FAILED', message: 'It answered 500: said' },
  ])
})
