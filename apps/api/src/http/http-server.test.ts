// @promise 5
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { errorBody } from '@lanyard/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpServer, holdUntilReady } from './http-server.ts'
import { serverTimeouts } from './limits.ts'

/** The time-outs are shorter than those of the service to keep the test fast. */
const timeouts = {
  headersTimeout: 300,
  requestTimeout: 600,
  keepAliveTimeout: 200,
  connectionsCheckingInterval: 50,
}
const http = createHttpServer(timeouts, holdUntilReady(200))
let port: number
let requestCount = 0
beforeAll(async () => {
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  port = (http.server.address() as AddressInfo).port // it listens on TCP
})
afterAll(() => http.close(0))

/** Reads everything from a socket until the server closes it. */
async function sendRaw(...parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return received
}

function read(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const status = Number(head.split(' ')[1])
  return { status, head, body: status < 400 ? { code: 'SERVED' } : errorBody.parse(JSON.parse(body)) }
}

/** A request that should have been rejected is answered, and its connection closed: the test fails at once. */
const serveAll = () => http.serve((_request, response) => response.setHeader('Connection', 'close').end('ok'))

test('behavior: while the service starts, it is alive', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/livez`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'alive' }])
})

test.each(['/health', '/readyz', '/networks'])(
  'behavior: while the service starts, %s answers 503 with Retry-After and the usual error body',
  async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    const body = errorBody.parse(await response.json())
    expect(body).toMatchObject({ code: 'STARTING', requestId: response.headers.get('x-request-id') })
  },
)

test('behavior: while the service starts, a browser gets a page that loads itself again', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await response.text()).toContain('<meta http-equiv="refresh" content="1">')
})

test('error: REQUEST_TIMEOUT for headers that never end', async () => {
  const { status, body } = read(await sendRaw('GET / HTTP/1.1\r\nHost: a\r\n', 'X-Slow: '))
  expect([status, body.code]).toEqual([408, 'REQUEST_TIMEOUT'])
})

test('error: REQUEST_TIMEOUT for a body that never comes', async () => {
  http.serve((request) => {
    requestCount++
    request.resume()
  })
  const head =
    'POST /user HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'
  const { status, body } = read(await sendRaw(head, '{"a":'))
  expect([status, body.code, requestCount]).toEqual([408, 'REQUEST_TIMEOUT', 1])
})

test('error: HEADERS_TOO_LARGE for 20,000 bytes of headers', async () => {
  const { status, body } = read(
    await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
  )
  expect([status, body.code]).toEqual([431, 'HEADERS_TOO_LARGE'])
})

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
  ['a missing host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['the same host twice', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\n\r\n'],
  ['two content lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  [
    'a content length with chunked encoding',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('error: INVALID_INPUT for %s', async (_name, text) => {
  serveAll()
  const { status, head, body } = read(await sendRaw(text))
  expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
  expect(head).toContain('Connection: close')
})

test.each(
  [
    'gzip',
    'identity',
    'gzip, chunked',
    'identity, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'chunked;q=1',
    'xchunked',
  ].flatMap((coding) => [
    [coding, ''],
    // Node's parser does not reject a request to upgrade.
    [coding, 'Upgrade: websocket\r\nConnection: Upgrade\r\n'],
  ]),
)('error: UNSUPPORTED_TRANSFER_ENCODING for %s: %j', async (coding, more) => {
  serveAll()
  const head = `POST / HTTP/1.1\r\nHost: a\r\n${more}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`
  const { status, head: answered, body } = read(await sendRaw(head))
  expect([status, body.code]).toEqual([501, 'UNSUPPORTED_TRANSFER_ENCODING'])
  expect(answered).toContain('Connection: close')
})

test('behavior: HTTP/1.0 needs no host, and "Expect: 100-continue" is answered', async () => {
  http.serve((_request, response) => response.end('ok'))
  expect(await sendRaw('GET / HTTP/1.0\r\n\r\n')).toContain('200 OK')
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n'
  expect(await sendRaw(post, '{}')).toMatch(/^HTTP\/1\.1 100 Continue[\s\S]*200 OK/)
})

test('behavior: an idle connection is closed', async () => {
  http.serve((_request, response) => response.end('ok'))
  const answer = await sendRaw('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(answer).toContain('200 OK')
})

test('behavior: the service keeps idle connections longer than load balancers do', async () => {
  await using service = await startServer(serverTimeouts.keepAliveTimeout)
  service.serve((_request, response) => response.end('ok'))
  const { headers } = await fetch(service.url)
  const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? []
  // The defaults of nginx's upstream keepalive_timeout and of AWS ALB's idle time-out are 60 seconds.
  expect(Number(seconds)).toBeGreaterThan(60)
})

/** Starts another server, which becomes ready when the test calls `serve`. */
async function startServer(keepAliveTimeout = 5_000) {
  const other = createHttpServer({ ...timeouts, keepAliveTimeout }, holdUntilReady(5_000))
  other.server.listen(0, '127.0.0.1')
  await once(other.server, 'listening')
  const { port } = other.server.address() as AddressInfo // it listens on TCP
  return {
    ...other,
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: () => other.close(0),
  }
}

test('behavior: a request during the start waits and is then answered', async () => {
  const other = await startServer()
  const early = fetch(`${other.url}/networks`)
  expect((await fetch(`${other.url}/health`)).status).toBe(503) // the other request arrived before this one
  other.serve((_request, response) => response.end('ready'))
  expect(await (await early).text()).toBe('ready')
  await other.close(0)
})

test('behavior: a draining server still answers and closes each connection with its answer', async () => {
  const other = await startServer()
  const requestStarted = Promise.withResolvers<() => void>()
  other.serve((request, response) => {
    if (request.url === '/slow') requestStarted.resolve(() => response.end('slow'))
    else response.end('ok')
  })
  expect((await fetch(other.url)).headers.get('connection')).toBe('keep-alive')
  const slow = fetch(`${other.url}/slow`)
  const answer = await requestStarted.promise
  other.drain()
  answer()
  expect((await slow).headers.get('connection')).toBe('close')
  const late = await fetch(other.url)
  expect([late.headers.get('connection'), await late.text()]).toEqual(['close', 'ok'])
  await other.close(0)
  await expect(fetch(other.url)).rejects.toThrow()
})

test('behavior: close accepts connections that wait, and answers their requests', async () => {
  const other = await startServer()
  other.serve((_request, response) => response.end('ok'))
  const answers = Array.from({ length: 10 }, async () => {
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n')
    let received = ''
    for await (const chunk of socket) received += chunk
    return received.slice(-2)
  })
  // The system has connected them, and the event loop has not looked since.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  await other.close(1_000)
  expect(await Promise.all(answers)).toEqual(Array(10).fill('ok'))
})

test('behavior: close lets running requests finish within the time limit', async () => {
  const other = await startServer()
  const requestStarted = Promise.withResolvers<() => void>()
  other.serve((request, response) => {
    if (request.url === '/slow') requestStarted.resolve(() => response.end('slow'))
  })
  const never = fetch(`${other.url}/never`).catch(() => 'cut off')
  const slow = fetch(`${other.url}/slow`)
  const answer = await requestStarted.promise
  const closed = other.close(500)
  answer()
  expect(await (await slow).text()).toBe('slow')
  expect(await never).toBe('cut off')
  await closed
})
