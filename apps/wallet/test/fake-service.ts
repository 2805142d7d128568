import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The service's answer to one procedure: data, or a {@link ServiceFailure} that it throws. */
type Answer = (input: Readonly<Record<string, unknown>>) => unknown

/** An error response of the service. */
export class ServiceFailure extends Error {
  readonly body: Readonly<Record<string, unknown>>

  constructor(code: string, more: Readonly<Record<string, unknown>> = {}) {
    super(code)
    this.body = { code, message: code, ...more }
  }
}

/** A subscription whose events the test sends. */
interface FakeStream {
  /** The input of each connection so far. */
  readonly requests: { readonly input: unknown; readonly lastEventId: string | undefined }[]
  /** The number of open connections. */
  open(): number
  send(id: string, message: object): void
  /** Closes all connections. */
  cut(): void
}

export interface FakeService extends AsyncDisposable {
  readonly url: string
  /** Answers by procedure. Tests may change them at any time. Other procedures return NOT_FOUND. */
  readonly answers: Record<string, Answer>
  /** Turns a procedure into a subscription until `endStreams`. */
  stream(procedure: string): FakeStream
  endStreams(): void
  /** The requests so far. */
  readonly requested: { readonly procedure: string; readonly input: Readonly<Record<string, unknown>> }[]
  /** The procedures whose caller left before the answer. */
  readonly cancelled: string[]
}

/** A fake service that the wallet's tRPC client calls over HTTP. The test chooses the answers. */
export async function startFakeService(answers: Record<string, Answer> = {}): Promise<FakeService> {
  const requested: FakeService['requested'] = []
  const cancelled: string[] = []
  const streams = new Map<
    string,
    (request: IncomingMessage, response: ServerResponse, input: unknown) => void
  >()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const procedure = pathname.replace('/trpc/', '')
    const input = JSON.parse(
      (request.method === 'GET' ? searchParams.get('input') : await read(request)) || '{}',
    )
    requested.push({ procedure, input })
    response.once('close', () => response.writableFinished || cancelled.push(procedure))
    const stream = streams.get(procedure)
    if (stream) return stream(request, response, input)
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
    requested,
    cancelled,
    stream(procedure) {
      const requests: FakeStream['requests'][number][] = []
      const open = new Set<ServerResponse>()
      streams.set(procedure, ({ headers }, response, input) => {
        const lastEventId = headers['last-event-id']
        requests.push({ input, lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined })
        open.add(response)
        response.once('close', () => open.delete(response))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('retry: 10\n\nevent: connected\ndata: {}\n\n')
      })
      return {
        requests,
        open: () => open.size,
        send(id, message) {
          for (const response of open) response.write(`id: ${id}\ndata: ${JSON.stringify(message)}\n\n`)
        },
        cut() {
          for (const response of open) response.end()
        },
      }
    },
    endStreams: () => streams.clear(),
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
