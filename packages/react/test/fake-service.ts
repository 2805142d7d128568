import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Creates the response body for a request body. */
type Answer = (body: Readonly<Record<string, unknown>>) => unknown

export interface FakeService extends AsyncDisposable {
  readonly url: string
  /** Answers by path. Tests may change them at any time. Other paths return 404. */
  readonly answers: Record<string, Answer>
  /** The paths of the requests so far. */
  readonly requested: string[]
}

/** A service that returns false answers, which the real one never does. */
export async function startFakeService(): Promise<FakeService> {
  const answers: Record<string, Answer> = {}
  const requested: string[] = []
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'content-type': 'application/json',
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    requested.push(path)
    const answer = answers[path]
    const error = { code: 'NOT_FOUND', message: path, requestId: '-' }
    const text = Buffer.concat(chunks).toString()
    response
      .writeHead(answer ? 200 : 404, headers)
      .end(JSON.stringify(answer ? answer(JSON.parse(text || '{}')) : error))
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`, // a TCP server has a port
    answers,
    requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
