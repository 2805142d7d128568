import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Creates the response body for a request's body and query. A member `status` becomes the status. */
export type Answer = (
  body: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, string>>,
) => object

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
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    requested.push(path)
    const answer = answers[path]
    const text = Buffer.concat(chunks).toString()
    const { status = 200, ...body } = (
      answer
        ? answer(JSON.parse(text || '{}'), Object.fromEntries(searchParams))
        : { status: 404, code: 'NOT_FOUND', message: path, requestId: '-' }
    ) as { readonly status?: number }
    response.writeHead(status, headers).end(JSON.stringify(body))
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
