import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the service answers to one procedure: data, or a {@link ServiceFailure} that it throws. */
type Answer = (input: Readonly<Record<string, unknown>>) => unknown

/** An error body of the service. */
export class ServiceFailure extends Error {
  readonly body: Readonly<Record<string, unknown>>

  constructor(code: string, more: Readonly<Record<string, unknown>> = {}) {
    super(code)
    this.body = { code, message: code, ...more }
  }
}

export interface FakeService extends AsyncDisposable {
  readonly url: string
  /** By procedure, changed whenever a test likes; what is not here answers NOT_FOUND. */
  readonly answers: Record<string, Answer>
  /** What was asked so far. */
  readonly asked: { readonly procedure: string; readonly input: Readonly<Record<string, unknown>> }[]
}

/** The service as the wallet's tRPC client sees it over HTTP, with answers of the test's choice. */
export async function startFakeService(answers: Record<string, Answer> = {}): Promise<FakeService> {
  const asked: FakeService['asked'] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const procedure = pathname.replace('/trpc/', '')
    const input = JSON.parse(
      (request.method === 'GET' ? searchParams.get('input') : await read(request)) || '{}',
    )
    asked.push({ procedure, input })
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      const answer = answers[procedure]
      if (!answer) throw new ServiceFailure('NOT_FOUND')
      send(200, { result: { data: await answer(input) } })
    } catch (error) {
      const data = error instanceof ServiceFailure ? error.body : { code: 'INTERNAL', message: String(error) }
      send(400, { error: { message: data.message, code: -32600, data } })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    answers,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
