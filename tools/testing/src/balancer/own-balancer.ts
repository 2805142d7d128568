import { once } from 'node:events'
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Balancer } from './balancer-address.ts'

/** Milliseconds, as `proxy_next_upstream_timeout` in deploy/nginx/lanyard.conf. */
const forwardTimeout = 25_000

interface Passed {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** The replica failed. `arrived` is true if it may have received the request. */
class Broken extends Error {
  override readonly name = 'Broken'
  readonly arrived: boolean
  constructor(arrived: boolean) {
    super('The replica gave no answer.')
    this.arrived = arrived
  }
}

/**
 * Uses the replicas in rotation, and retries what deploy/nginx/lanyard.conf retries, for machines without
 * nginx.
 */
export async function startOwnBalancer(replicas: readonly string[]): Promise<Balancer> {
  let turn = 0
  let passedOn = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const isKeyed = request.headers['idempotency-key'] !== undefined
    const mayRepeat = isKeyed || request.method === 'GET'
    const first = turn++
    const until = performance.now() + forwardTimeout
    let last: Passed = { status: 502, headers: {}, body: Buffer.alloc(0) }
    for (let tries = 0; tries < replicas.length; tries++) {
      if (tries === 1) passedOn++
      const replica = replicas[(first + tries) % replicas.length] ?? ''
      try {
        last = await pass(replica, request, body)
        const another = (last.status === 503 && mayRepeat) || (last.status === 504 && isKeyed)
        if (!another) break
      } catch (error) {
        if (!(error instanceof Broken)) throw error
        if (error.arrived && !mayRepeat) break
      }
      if (isKeyed && performance.now() > until) break
    }
    response.writeHead(last.status, last.headers).end(last.body)
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    name: 'a balancer of this test (no nginx here)',
    passedOn: async () => passedOn,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @throws Broken */
function pass(replica: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Passed> {
  return new Promise((resolve, reject) => {
    let isOpen = false
    const options = { method, headers: { ...headers, connection: 'close' }, agent: false }
    const sent = openRequest(`${replica}${url}`, options, (answer) => {
      const { statusCode: status = 0, headers } = answer
      buffer(answer).then(
        (body) => resolve({ status, headers, body }),
        () => reject(new Broken(true)),
      )
    })
    sent.on('socket', (socket) => socket.once('connect', () => (isOpen = true)))
    sent.on('error', () => reject(new Broken(isOpen)))
    sent.end(body)
  })
}
