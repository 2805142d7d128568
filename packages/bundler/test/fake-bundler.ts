import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })

/** The bundler's response to a method: a result, an error, bytes that are not JSON-RPC, or no response. */
export type FakeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | {
      readonly body: string
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }
  | 'nothing'

/** Responses by method; a function receives the parameters. */
export type FakeAnswers = Record<string, FakeAnswer | ((params: readonly unknown[]) => FakeAnswer)>

export interface FakeBundler extends AsyncDisposable {
  readonly url: string
  readonly calls: { readonly method: string; readonly params: readonly unknown[] }[]
}

/**
 * A JSON-RPC server that returns any response a test needs, like a third-party bundler that may misbehave.
 */
export async function startFakeBundler(answers: FakeAnswers): Promise<FakeBundler> {
  const calls: FakeBundler['calls'] = []
  const server = createServer(async (request, response) => {
    const { id, method, params } = call.parse(await json(request))
    calls.push({ method, params })
    const given = answers[method]
    const answer = (typeof given === 'function' ? given(params) : given) ?? {
      error: { code: -32601, message: 'Method not found' },
    }
    if (answer === 'nothing') return
    response.statusCode = 'status' in answer ? (answer.status ?? 200) : 200
    response.setHeader('content-type', 'application/json')
    for (const [name, value] of 'headers' in answer ? Object.entries(answer.headers ?? {}) : [])
      response.setHeader(name, value)
    response.end('body' in answer ? answer.body : JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('It listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
