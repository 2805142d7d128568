import { Agent, createServer, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** What passed since the last `take`. */
export interface Traffic {
  /** HTTP round trips. */
  readonly trips: number
  /** JSON-RPC requests; a batch holds several. */
  readonly requests: number
}

export interface CountingProxy extends AsyncDisposable {
  readonly url: string
  /** Answers what passed, and counts from zero again. */
  take(): Traffic
}

/**
 * Stands in front of a JSON-RPC server and counts what is asked of it.
 *
 * @param latency milliseconds that each round trip takes longer, as if the server were farther away. Default 0.
 */
export async function startCountingProxy(target: string, latency = 0): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true })
  let traffic = { trips: 0, requests: 0 }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const asked: unknown = JSON.parse(body.toString())
    traffic.trips++
    traffic.requests += Array.isArray(asked) ? asked.length : 1
    if (latency > 0) await delay(latency)
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    httpRequest(target, { method: 'POST', agent, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
      answer.pipe(response)
    })
      .on('error', () => response.destroy())
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('It listens on a port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    take() {
      const taken = traffic
      traffic = { trips: 0, requests: 0 }
      return taken
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
