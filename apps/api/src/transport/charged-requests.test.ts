import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { endpoints, type RateBucket } from '@lanyard/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../../test/http-service.ts'
import { createHttpServer } from '../http/http-server.ts'
import { type CallCosts, createCallCosts } from '../pipeline/costs/call-costs.ts'
import type { Meter } from '../platform/load/meter.ts'
import { createApp } from './app.ts'

/** Every request that a third party can send is charged, once, whatever it looks like and however it ends. */

type Charged = Parameters<ReturnType<CallCosts['begin']>['end']>[0]

let service: HttpService
let port: number
/** Called while the key of a request is looked up. */
let onKey = async (): Promise<void> => {}
let charged: Charged[] = []
let settled = 0
/** The counters of the calls that were charged. */
let calls: RateBucket[] = []
const http = createHttpServer()
beforeAll(async () => {
  service = await startHttpService({ ALLOW_ANONYMOUS: 'true', ORIGINS: 'https://app.example' })
  const { services } = service.service
  const own = createCallCosts({
    ...services,
    pool: undefined,
    metrics: {
      addGauge: () => {},
      countExhausted: () => {},
      countCost: () => {
        settled++
      },
    },
    closing: new AbortController().signal,
  })
  const callCosts: CallCosts = {
    ...own,
    begin(call) {
      const started = own.begin(call)
      const end = (bytes: Charged) => {
        charged.push(bytes)
        started.end(bytes)
      }
      const meter: Meter = {
        ...started.meter,
        addCalls(buckets) {
          calls.push(...buckets)
          started.meter.addCalls(buckets)
        },
      }
      calls.push(...call.buckets)
      return { ...started, meter, end }
    },
  }
  const apiKeys = {
    ...services.apiKeys,
    async find(text: string) {
      await onKey()
      return services.apiKeys.find(text)
    },
  }
  http.serve(createApp({ ...services, callCosts, apiKeys }))
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  port = (http.server.address() as AddressInfo).port // it listens on TCP
})
afterAll(async () => {
  await http.close(0)
  await service?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  charged = []
  settled = 0
  calls = []
})

const sumOf = (part: keyof Charged) => charged.reduce((sum, bytes) => sum + bytes[part], 0)

function open(): Socket {
  return connect(port, '127.0.0.1').on('error', () => {})
}

/** Sends everything at once, and reads what comes until the service closes the connection. */
async function send(text: string): Promise<string> {
  const socket = open()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return received
}

const last = 'Connection: close\r\n'
const head = (method: string, target: string, more = last) =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const json = 'Content-Type: application/json\r\n'
const post = (target: string, body: string, more = last) =>
  `${head('POST', target, `${more}${json}Content-Length: ${body.length}\r\n`)}${body}`
const preflight = `${last}Origin: https://app.example\r\nAccess-Control-Request-Method: GET\r\n`
const build = endpoints.smartAccount.build.path
const refused = JSON.stringify({ network: 'x'.repeat(20_000) })

describe('a third party is charged for', () => {
  test.each([
    ['an answer', head('GET', '/networks')],
    ['HEAD', head('HEAD', '/networks')],
    ['OPTIONS', head('OPTIONS', '/networks')],
    ['a preflight of an endpoint', head('OPTIONS', '/user', preflight)],
    ['a preflight of any path', head('OPTIONS', '/trpc/user.details', preflight)],
    ['OPTIONS of no path', head('OPTIONS', '*')],
    ['another method', head('PUT', '/networks')],
    ['an unknown path', head('GET', '/nothing')],
    ['a file', head('GET', '/openapi.json')],
    ['a file of other origins', head('GET', '/.well-known/webauthn')],
    // Built or not.
    ['a page of the documents', head('GET', '/docs/')],
    ['a page of the documents that has not changed', head('GET', '/docs/', `${last}If-None-Match: *\r\n`)],
    ["the wallet's page", head('GET', '/')],
    ['/metrics without access', head('GET', '/metrics', `${last}x-api-key: guessed\r\n`)],
    ['a wrong key', head('GET', '/networks', `${last}x-api-key: lk_secret_guessed\r\n`)],
    ['a body that is refused', post(build, refused)],
    ['a body that is too large', post(build, 'x'.repeat(300_000))],
    ['a tRPC batch that is too long', head('GET', `/trpc/${Array(200).fill('user.details').join(',')}`)],
    ['a tRPC batch with a health check', head('GET', '/trpc/system.health,user.search?batch=1&input={}')],
    ['a JSON-RPC batch', post('/rpc/31337', '[{},{}]')],
    ['an expectation', post(build, refused, `${last}Expect: 100-continue\r\n`)],
    ['an upgrade', head('GET', '/networks', 'Connection: upgrade, close\r\nUpgrade: websocket\r\n')],
  ])('behavior: %s', async (_name, text) => {
    const answer = await send(text)
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3}/)
    await expect.poll(() => settled).toBeGreaterThan(0)
    const interim = answer.startsWith('HTTP/1.1 100') ? answer.indexOf('\r\n\r\n') + 4 : 0
    expect(sumOf('sent')).toBe(Buffer.byteLength(answer) - interim)
  })

  test.each(['/health', '/livez', '/readyz'])('behavior: not %s', async (path) => {
    expect(await send(head('GET', path))).toMatch(/ 200 /)
    expect(charged).toEqual([])
  })
})

test('behavior: each call of a JSON-RPC batch is charged as what it calls', async () => {
  const names = [
    'eth_chainId',
    'eth_estimateUserOperationGas',
    'wallet_getCallsStatus',
    'unknown',
    'pm_getPaymasterData',
  ]
  const batch = names.map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }))
  await send(post('/rpc/31337', JSON.stringify(batch)))
  expect(calls).toEqual(['builds', 'builds', 'reads', 'calls', 'builds']) // the path shows one call, as the most expensive
})

describe('bytes', () => {
  test.each([
    ['with its length', (more: string) => post(build, refused, more)],
    [
      'in chunks',
      (more: string) =>
        `${head('POST', build, `${more}${json}Transfer-Encoding: chunked\r\n`)}${refused.length.toString(16)}\r\n${refused}\r\n0\r\n\r\n`,
    ],
  ])('behavior: a body %s that arrives with its head is charged', async (_name, text) => {
    await send(text(last))
    await expect.poll(() => settled).toBe(1)
    expect(sumOf('received')).toBe(text(last).length)
  })

  test('behavior: each of several requests that arrive together is charged for its own', async () => {
    const [one, other] = [post(build, refused, ''), head('GET', '/networks')]
    const answer = await send(one + one + other)
    await expect.poll(() => settled).toBe(3)
    expect(sumOf('sent')).toBe(Buffer.byteLength(answer))
    expect(charged.map(({ received }) => received)).toEqual([one, one, other].map(({ length }) => length))
  })

  test('behavior: each of a hundred requests over one connection is charged, one after the other', async () => {
    const socket = open()
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    const one = head('GET', '/networks', '')
    for (let count = 1; count <= 100; count++) {
      socket.write(one)
      await expect.poll(() => settled, { interval: 1 }).toBe(count)
    }
    expect(charged.map(({ received }) => received)).toEqual(Array(100).fill(one.length))
    await expect.poll(() => Buffer.byteLength(received)).toBe(sumOf('sent'))
    socket.destroy()
  })

  test('behavior: the rest of a refused body is not charged to the next request of the connection', async () => {
    const socket = open()
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.write(post(build, 'x'.repeat(1_000_000), ''))
    await expect.poll(() => received).toContain('PAYLOAD_TOO_LARGE')
    charged = []
    const next = head('GET', '/networks')
    socket.write(next)
    await once(socket, 'close')
    expect(charged.map(({ received }) => received)).toEqual([next.length])
  })
})

describe('a caller who leaves', () => {
  const call = () => ({
    caller: { kind: 'address', name: '203.0.113.1' } as const,
    buckets: ['builds'] as const,
    bodyBytes: 0,
    isGone: () => true,
  })
  const end = { received: 0, sent: 0 }

  test('behavior: while the key is looked up leaves no deposit, and nothing is done', async () => {
    let socket: Socket | undefined
    onKey = async () => {
      socket?.resetAndDestroy()
      await delivered.promise
    }
    const delivered = Promise.withResolvers<void>()
    http.server.once('request', (_request, response) => response.once('close', () => delivered.resolve()))
    try {
      socket = open()
      socket.write(head('GET', '/networks', 'x-api-key: lk_secret_guessed\r\n'))
      await once(socket, 'close')
      await expect.poll(() => settled).toBe(1)
      expect(charged.length).toBeGreaterThan(0)
    } finally {
      onKey = async () => {}
    }
  })

  test('behavior: while it is worked for is charged for all of it', async () => {
    const costs: number[] = []
    const { begin } = createCallCosts({
      env: service.service.services.env,
      pool: undefined,
      log: service.service.services.log,
      metrics: {
        addGauge: () => {},
        countExhausted: () => {},
        countCost: ({ seconds }) => costs.push(seconds * 1_000),
      },
      closing: new AbortController().signal,
    })
    const started = begin(call())
    await started.start()
    const endWork = started.meter.work()
    started.end(end) // the connection is closed
    started.meter.addTime(200)
    expect(costs).toEqual([])
    endWork()
    expect(costs).toEqual([expect.closeTo(200, -1)])
    expect(() => started.meter.work()).toThrow(/left/)
    const late = begin(call())
    late.end(end)
    await expect(late.start()).rejects.toThrow(/left/)
  })
})
