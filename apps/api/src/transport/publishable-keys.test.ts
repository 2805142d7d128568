// @promise 10
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type HttpService, postJson, startHttpService } from '../../test/http-service.ts'
import { createApiKey } from '../domain/accounts/api-keys/manage-api-keys.ts'

const page = 'https://app.example'
let service: HttpService
let url: string
let key: string
let appKey: string
beforeAll(async () => {
  service = await startHttpService({
    API_KEYS: 'server:a-secret-of-32-characters-xxxxxx',
    RP_ID: 'wallet.example',
  })
  url = service.url
  const { db } = service.database
  key = (await createApiKey(db, { kind: 'publishable', name: 'app', origins: [page] }, new Date())).key
  const ofApp = { kind: 'publishable', name: 'phone', origins: ['app:com.example.wallet'] } as const
  appKey = (await createApiKey(db, ofApp, new Date())).key
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** Headers of a browser. Scripts cannot set either of them. */
const get = (headers: Record<string, string>) => ask(`${url}/networks`, { headers })

test('default: a page on an origin of the key may call', async () => {
  const { status, headers } = await get({ 'x-api-key': key, origin: page })
  expect(status).toBe(200)
  expect(headers.get('access-control-allow-origin')).toBe(page)
  expect(headers.get('vary')).toContain('Origin')
})

test('behavior: a same-origin GET without an Origin header may call', async () => {
  const host = new URL(url).host
  const { db } = service.database
  const own = await createApiKey(
    db,
    { kind: 'publishable', name: 'own', origins: [`https://${host}`] },
    new Date(),
  )
  // A read from before the key was created is cached for two seconds.
  await expect
    .poll(
      async () =>
        (await get({ 'x-api-key': own.key, 'sec-fetch-site': 'same-origin', accept: '*/*' })).status,
    )
    .toBe(200)
  expect((await get({ 'x-api-key': own.key, 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await get({ 'x-api-key': own.key, 'sec-fetch-site': 'none' })).status).toBe(403)
})

test.each([
  ['another page', { origin: 'https://evil.example' }],
  ['a page on another port', { origin: `${page}:8443` }],
  ['a page over http', { origin: 'http://app.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['no page', {}],
  ['the service itself when it is not an origin of the key', { 'sec-fetch-site': 'same-origin' }],
])('error: FORBIDDEN for %s', async (_name, headers) => {
  const { status, body } = await get({ 'x-api-key': key, ...headers })
  expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
  const trpc = await ask(`${url}/trpc/system.networks`, { headers: { 'x-api-key': key, ...headers } })
  expect([trpc.status, trpc.body.error.data.code]).toEqual([403, 'FORBIDDEN'])
})

test("behavior: a preflight succeeds only for pages of the key's origins", async () => {
  const preflight = (origin: string) =>
    ask(`${url}/networks`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    })
  const allowed = await preflight(page)
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-origin')).toBe(page)
  expect(allowed.headers.get('access-control-allow-headers')).toContain('x-api-key')
  const external = await preflight('https://evil.example')
  expect(external.headers.get('access-control-allow-origin')).toBeNull()
})

describe("the wallet's own key", () => {
  const walletKey = () => service.service.services.apiKeys.walletKey?.text ?? ''

  test("default: the wallet's key works for the wallet's calls, only from the wallet's pages", async () => {
    const fromPage = { 'x-api-key': walletKey(), 'sec-fetch-site': 'same-origin' }
    expect((await get(fromPage)).status).toBe(200)
    const post = await postJson(`${url}/trpc/smartAccount.create`, {}, { ...fromPage, origin: url })
    expect(post.status).toBe(400)
    expect((await get({ 'x-api-key': walletKey(), origin: 'https://wallet.example' })).status).toBe(200)
    expect((await get({ 'x-api-key': walletKey(), origin: 'https://evil.example' })).status).toBe(403)
    expect((await get({ 'x-api-key': walletKey(), 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('behavior: WALLET=false creates no wallet key and serves no page', async () => {
    await using closed = await startHttpService({ WALLET: 'false' })
    expect(closed.service.services.apiKeys.walletKey).toBeUndefined()
    const root = await ask(closed.url, { headers: { accept: 'text/html' } })
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs'])
  })
})

test('behavior: each visitor with a publishable key has its own limit', async () => {
  await using limited = await startHttpService({
    API_KEYS: 'server:a-secret-of-32-characters-xxxxxx',
    RATE_LIMIT_CALLS: '1',
    TRUST_PROXY: '1',
  })
  const { db } = limited.database
  const made = await createApiKey(db, { kind: 'publishable', name: 'app', origins: [page] }, new Date())
  const from = (address: string) =>
    ask(`${limited.url}/networks`, {
      headers: { 'x-api-key': made.key, origin: page, 'x-forwarded-for': address },
    })
  expect((await from('203.0.113.1')).status).toBe(200)
  expect((await from('203.0.113.1')).status).toBe(429)
  expect((await from('203.0.113.2')).status).toBe(200)
})

describe('a key of an app', () => {
  test('behavior: the app may call', async () => {
    const { status } = await get({ 'x-api-key': appKey, 'x-app-id': 'com.example.wallet' })
    expect(status).toBe(200)
  })

  test.each([
    ['another app', { 'x-app-id': 'com.example.other' }],
    ['no app', {}],
    ['a page that names the app', { 'x-app-id': 'com.example.wallet', origin: 'https://evil.example' }],
    ['an app as an origin', { 'x-app-id': 'app:com.example.wallet' }],
  ])('error: FORBIDDEN for %s', async (_name, headers) => {
    const { status, body } = await get({ 'x-api-key': appKey, ...headers })
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('behavior: a page of another origin may not send the name of an app', async () => {
    const { headers } = await ask(`${url}/networks`, {
      method: 'OPTIONS',
      headers: {
        origin: page,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key,x-app-id',
      },
    })
    expect(headers.get('access-control-allow-headers')).not.toContain('x-app-id')
  })
})
