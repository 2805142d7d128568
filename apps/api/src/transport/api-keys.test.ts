// @promise 10
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type HttpService, startHttpService } from '../../test/http-service.ts'
import { endpointList } from '../platform/endpoint-list.ts'

const secret = 'a-secret-of-32-characters-xxxxxx'
let service: HttpService
let url: string
beforeAll(async () => {
  service = await startHttpService({
    API_KEYS: `web:${secret},another-secret-of-some-length`,
    ORIGINS: 'https://app.example',
  })
  url = service.url
})
afterAll(() => service[Symbol.asyncDispose]())

const closed = endpointList.filter(({ declaration }) => declaration.access.anonymous !== 'allowed')

test.each(closed.map(({ declaration }) => [declaration.method, declaration.path]))(
  'error: UNAUTHORIZED for %s %s without a key, before anything is read',
  async (method, path) => {
    const { status, body, headers } = await ask(url + path, {
      method,
      ...(method === 'POST' && { body: '{' }),
    })
    const { code, missing } = body
    expect({ status, code, missing }).toEqual({ status: 401, code: 'UNAUTHORIZED', missing: 'apiKey' })
    expect(headers.get('www-authenticate')).toBe('Bearer')
  },
)

test.each(closed.map(({ name }) => name))('error: UNAUTHORIZED for %s over tRPC', async (name) => {
  const { status, body } = await ask(`${url}/trpc/${name}`)
  expect({ status, code: body.error.data.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
})

test.each(['/health', '/openapi.json', '/docs/errors'])('behavior: %s needs no key', async (path) => {
  expect((await ask(url + path)).status).toBe(200)
})

test.each([
  ['x-api-key', { 'x-api-key': secret }],
  ['Authorization, bare', { authorization: secret }],
  ['Authorization, Bearer', { authorization: `Bearer ${secret}` }],
  ['a key without a name', { 'x-api-key': 'another-secret-of-some-length' }],
  [
    'a key together with a user token',
    { 'x-api-key': secret, authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.e30.AA' },
  ],
])('args: %s gives access', async (_name, headers) => {
  expect((await ask(`${url}/networks`, { headers })).status).toBe(200)
  expect((await ask(`${url}/trpc/system.networks`, { headers })).status).toBe(200)
})

test.each([
  ['a wrong key', { 'x-api-key': `${secret}x` }],
  ['the name instead of the key', { 'x-api-key': 'web' }],
  ['an empty key', { 'x-api-key': '' }],
  ['only the token of a user', { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.e30.AA' }],
])('error: UNAUTHORIZED for %s', async (_name, headers) => {
  expect((await ask(`${url}/networks`, { headers })).status).toBe(401)
})

test('behavior: a configured origin may send preflights and read answers', async () => {
  const preflight = await ask(`${url}/networks`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example')
  const external = await ask(`${url}/health`, { headers: { origin: 'https://evil.example' } })
  expect(external.headers.get('access-control-allow-origin')).not.toBe('https://evil.example')
})
