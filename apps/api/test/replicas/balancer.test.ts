/** @module-tag all */
// @promise 5

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Balancer, findNginx, startNginx, startOwnBalancer } from '@lanyard/testing/balancer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const nginx = findNginx()

/** How one replica handles a request. The other one answers 200. */
const behaviors = {
  'closes the connection': (request) => {
    request.socket.destroy()
  },
  'answers 503': (_request, response) => {
    response.writeHead(503).end('{"code":"STARTING"}')
  },
  'answers 504': (_request, response) => {
    response.writeHead(504).end('{"code":"INCLUSION_TIMEOUT"}')
  },
  'answers 500': (_request, response) => {
    response.writeHead(500).end('{"code":"INTERNAL"}')
  },
  'answers 409': (_request, response) => {
    response.writeHead(409).end('{"code":"IDEMPOTENCY_MISMATCH"}')
  },
} satisfies Record<string, RequestListener>
type Behavior = keyof typeof behaviors

interface Sent {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const requests = {
  GET: {},
  POST: { method: 'POST', body: '{"some":"body"}' },
  'POST with a key': { method: 'POST', body: '{"some":"body"}', headers: { 'idempotency-key': 'one' } },
} satisfies Record<string, Sent>
type Kind = keyof typeof requests

/** The status that the caller sees, if it is not the other replica's 200. */
const callerStatus: Readonly<Record<Behavior, Partial<Record<Kind, number>>>> = {
  'closes the connection': { POST: 502 },
  'answers 503': { POST: 503 },
  'answers 504': { GET: 504, POST: 504 },
  'answers 500': { GET: 500, POST: 500, 'POST with a key': 500 },
  'answers 409': { GET: 409, POST: 409, 'POST with a key': 409 },
}
const cases = (Object.keys(behaviors) as Behavior[]).flatMap((behavior) =>
  (Object.keys(requests) as Kind[]).map((kind) => ({
    behavior,
    kind,
    status: callerStatus[behavior][kind] ?? 200,
  })),
)

/** The fake balancer behaves like nginx with the shipped configuration. */
describe.each([
  {
    name: 'nginx with deploy/nginx/lanyard.conf',
    start: nginx && ((urls: string[]) => startNginx(nginx, urls)),
  },
  { name: 'the fake', start: startOwnBalancer },
])('$name', ({ start }) => {
  let behavior: Behavior
  let received: object[]
  let balancer: Balancer
  let stack: AsyncDisposableStack
  beforeAll(async () => {
    stack = new AsyncDisposableStack()
    const failing = stack.use(await listen((request, response) => behaviors[behavior](request, response)))
    const working = stack.use(
      await listen(async (request, response) => {
        let body = ''
        for await (const chunk of request) body += chunk
        received.push({ method: request.method, body, key: request.headers['idempotency-key'] })
        response.end('{"answered":true}')
      }),
    )
    const gone = await listen(() => {})
    await gone[Symbol.asyncDispose]()
    if (start) balancer = stack.use(await start([failing.url, gone.url, working.url]))
  })
  afterAll(() => stack.disposeAsync())

  test.skipIf(!start).each(cases)(
    'behavior: $kind answers $status if the replica $behavior',
    async ({ behavior: chosen, kind, status }) => {
      behavior = chosen
      received = []
      const { method = 'GET', body = '', headers = {} }: Sent = requests[kind]
      const statuses: number[] = []
      // Six requests reach every replica first at least once, including the one with the closed port. The caller sees
      // no error from that one.
      for (let turn = 0; turn < 6; turn++) {
        const answer = await fetch(`${balancer.url}/any?query=1`, { method, headers, ...(body && { body }) })
        statuses.push(answer.status)
      }
      expect(new Set(statuses)).toEqual(new Set([200, status]))
      const worked = statuses.filter((one) => one === 200).length
      const key = headers['idempotency-key']
      expect(received).toEqual(Array.from({ length: worked }, () => ({ method, body, key })))
    },
  )
})

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
