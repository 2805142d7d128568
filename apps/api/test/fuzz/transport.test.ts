/** @module-tag all */
/** @module-tag longer */
// @promise 11
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { reportFigure } from '@lanyard/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { operations } from './document.ts'
import { forAll } from './for-all.ts'
import { judgeRaw, type RawRequest } from './judge-raw.ts'
import { firstAnswer, requiresAnswer, sendRaw, splitAt } from './raw-http.ts'
import { settings } from './settings.ts'

let service: HttpService
let sent = 0
/** Requests and bytes drawn at random, and how many of them require an answer. */
let drawn = 0
let answerRequired = 0
beforeAll(async () => {
  console.info(`FUZZ_SEED=${settings.seed}`)
  service = await startHttpService({ RATE_LIMITS: 'off' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const judge = async (request: RawRequest) => {
  sent++
  drawn++
  if (await requiresAnswer(Buffer.from(request[0], 'latin1'))) answerRequired++
  return judgeRaw({ port: service.service.port, logged: service.logged }, request)
}

const methods = fc.constantFrom(
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'LINK',
  'get',
  'QUERY',
)

const paths = fc.oneof(
  fc.constantFrom(...operations.map(({ path }) => path)),
  fc.constantFrom(...operations.map(({ procedure }) => `/trpc/${procedure}`)),
  fc.constantFrom(
    '/',
    '*',
    '//',
    '/trpc',
    '/trpc/',
    '/trpc//',
    '/trpc/%',
    '/trpc/%zz',
    '/trpc/%00',
    '/trpc/..%2fuser',
    '/trpc/system.health?batch=1&input=%',
    '/docs',
    '/docs/',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/%00',
    '/openapi.json',
    '/metrics',
    '/assets/..%2f..%2f',
    '/..%5c..%5cetc',
    '/%c0%ae%c0%ae/',
    '/%ff',
    '/user?%',
    '/user?username=%E0%A4%A',
    '/user?username=%00',
    'http://evil.example/user?username=a',
    'http://[',
    '//evil.example/user',
    '/\\evil.example',
    '/user#fragment',
    '/user;a=b',
  ),
  fc.string({ maxLength: 40 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
)

const header = fc.constantFrom(
  'Host: a',
  'Host: evil.example:99999',
  'Host: [::1',
  'Host: a b',
  'Host: a/../b?c#d',
  'Host: %00',
  'Content-Type: application/json',
  'Content-Type: text/plain',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Connection: keep-alive',
  'Connection: close',
  'X-Forwarded-For: \u00ff',
  'X-Request-Id: a\tb',
  'Cookie: =',
  'Accept: application/jsonl',
  'trpc-accept: application/jsonl',
  'trpc-accept: text/event-stream',
  'Last-Event-Id: x',
  'Origin: null',
  'Access-Control-Request-Method: POST',
  'Access-Control-Request-Private-Network: true',
)

const framing = fc.constantFrom(
  ['', ''],
  ['Content-Length: 2', '{}'],
  ['Content-Length: 4', 'null'],
  ['Content-Length: 9', '{"0":{}}x'],
  ['Content-Length: 50', '{"a":1}'],
  ['Content-Length: -1', '{}'],
  ['Content-Length: 2, 2', '{}'],
  ['Content-Length: 99999999999999999999', '{}'],
  ['Content-Length: 300000', '{'],
  ['Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', '2;ext=1\r\n{}\r\n0\r\nTrailer: x\r\n\r\n'],
  ['Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', '-1\r\n{}\r\n0\r\n\r\n'],
  ['Transfer-Encoding: chunked', 'fffffffffffffffff\r\n{}'],
  ['Transfer-Encoding: identity', '{}'],
  ['Transfer-Encoding: gzip, chunked', '2\r\n{}\r\n0\r\n\r\n'],
)

/** Requests as latin1, so that reports are readable. */
const requestTexts = fc
  .record({
    method: methods,
    path: paths,
    headers: fc.array(header, { maxLength: 4 }),
    framing,
    host: fc.boolean(),
  })
  .map(({ method, path, headers, framing: [length = '', body = ''], host }) => {
    const lines = [`${method} ${path} HTTP/1.1`, ...(host ? ['Host: localhost'] : []), ...headers, length]
    return `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n${body}`
  })

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

const cuts = fc.array(fc.nat({ max: 2_000 }), { maxLength: 6 })

describe('requests that require an answer', () => {
  const post = 'POST / HTTP/1.1\r\nHost: a\r\n'
  test.each([
    ['a request without a body', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', true],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', true],
    ['a complete body', `${post}Content-Length: 2\r\n\r\n{}`, true],
    ['a complete chunked body', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, true],
    [
      'a body that waits for 100 Continue',
      `${post}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`,
      true,
    ],
    ['a request and half of the next', 'GET / HTTP/1.1\r\n\r\nGET /', true],
    ['text that is not HTTP', 'hello\r\n\r\n', true],
    ['nothing', '', false],
    ['half of the headers', post, false],
    ['half of a body', `${post}Content-Length: 50\r\n\r\n{}`, false],
    ['chunks without an end', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`, false],
  ])('args: %s', async (_name, text, expected) => {
    expect(await requiresAnswer(Buffer.from(text))).toBe(expected)
  })

  test('error: silence after a complete request is a time-out, and after half a request it is not', async () => {
    const silent = createServer({ allowHalfOpen: false }, (socket) => socket.resume()).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo // it listens on TCP
    const send = (text: string) => sendRaw(port, [Buffer.from(text)], { complete: false, timeout: 1_000 })
    await expect(send('GET / HTTP/1.1\r\n\r\n')).rejects.toThrow('neither answered nor closed')
    expect(await send('GET / HTTP/1.1\r\n')).toBe('')
    silent.close()
  })
})

describe('over a socket', () => {
  test(
    'behavior: no method, path, header or framing makes the service fail',
    { timeout: settings.timeout },
    () =>
      forAll(fc.tuple(requestTexts, cuts), {
        runs: 500,
        kind: 'raw',
        check: judge,
      }),
  )

  test('behavior: bytes that are not HTTP are rejected', { timeout: settings.timeout }, () =>
    forAll(fc.tuple(anyBytes, cuts), {
      runs: 100,
      kind: 'raw',
      check: judge,
    }),
  )

  test('behavior: the answer does not depend on how the body is split', {
    timeout: settings.timeout,
  }, () => {
    const body = JSON.stringify({ eoaAddress: owner, more: '\u00e9\u{1f600}'.repeat(40) })
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
    return forAll(
      fc.tuple(fc.constantFrom('/smart-account/create', '/trpc/smartAccount.create'), cuts, fc.boolean()),
      {
        runs: 60,
        check: async ([path, places, single]) => {
          sent++
          const bytes = Buffer.from(head(path) + body)
          const each = single ? Array.from({ length: bytes.length }, (_, at) => at) : places
          const answer = firstAnswer(
            await sendRaw(service.service.port, splitAt(bytes, each), { complete: true }),
          )
          expect(answer?.status).toBe(200)
          expect(answer?.body).toContain(owner)
        },
      },
    )
  })
})

describe('requests that are too large', () => {
  const post = (path: string, body: string) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  const statusOf = async (bytes: Buffer) => {
    sent++
    return firstAnswer(await sendRaw(service.service.port, [bytes], { complete: true }))?.status
  }
  const postOperations = operations.filter(({ method }) => method === 'POST')

  test.each(postOperations)(
    'error: a body that is too large or too deep for $id',
    async ({ path, procedure }) => {
      const large = `{"x":"${'a'.repeat(257 * 1024)}"}`
      const deep = `{"x":${'['.repeat(900)}${']'.repeat(900)}}`
      for (const to of [path, `/trpc/${procedure}`]) {
        // An endpoint for signed-in users answers 401 before it reads the body.
        expect([413, 401]).toContain(await statusOf(post(to, large)))
        expect([400, 401]).toContain(await statusOf(post(to, deep)))
      }
    },
  )

  test('error: a path with thousands of names is rejected before any procedure runs', async () => {
    const calls = async () => {
      const text = await service.service.services.metrics.text()
      const counts = [...text.matchAll(/^lanyard_call_duration_seconds_count\{[^}]*\} (\d+)/gm)]
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    await fetch(`${service.url}/networks`)
    expect(await calls()).toBeGreaterThan(0)
    const before = await calls()
    for (const names of [
      'a,'.repeat(6_000),
      'system.health,'.repeat(800),
      ','.repeat(12_000),
      '%2C'.repeat(4_000),
    ]) {
      for (const query of ['', '?batch=1', '?batch=1&input=%7B%7D']) {
        const line = `GET /trpc/${names}${query} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
        expect([400, 431]).toContain(await statusOf(Buffer.from(line)))
      }
    }
    expect(await calls()).toBe(before)
  })
})

test('behavior: the service is healthy after all requests', async () => {
  const { status } = await fetch(`${service.url}/health`)
  expect(status).toBe(200)
  reportFigure(11, 'raw requests fuzzed', sent)
  reportFigure(11, 'raw requests that required an answer and got one', answerRequired)
  // Only of what is drawn: how many other requests are sent grows with the endpoints.
  expect(answerRequired).toBeGreaterThan(drawn / 4)
})
