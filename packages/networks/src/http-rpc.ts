import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createTransport, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem'

/** viem's default. */
const defaultMaxBytes = 10_485_760

/** Maximum number of JSON-RPC requests in one HTTP request. */
const maxBatch = 50

/**
 * Maximum length of a batch in characters, unless a single request is longer. Nodes reject long bodies as a
 * whole, anvil those over 2 MB.
 */
const maxBatchLength = 1_000_000

/** Maximum length of a request whose parameters are in an error, and so in the log. */
const maxShown = 500

export interface HttpRpcOptions {
  /** Milliseconds from sending an HTTP request to the last byte of its response. */
  readonly timeout: number
  /** Whether requests in the same turn of the event loop are sent as one batch (JSON-RPC 2.0, section 6). */
  readonly batch: boolean
  /** Maximum size of a response. */
  readonly maxBytes?: number
}

type RpcCall = { readonly method: string; readonly params?: unknown }

/** A type alias, because viem's errors accept only types with an index signature. */
type RpcBody = RpcCall & { readonly jsonrpc: '2.0'; readonly id: number }

interface Pending {
  readonly body: RpcBody
  /** The body in JSON. */
  readonly text: string
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * JSON-RPC over HTTP, as a viem transport that throws viem's errors and never retries. viem's own creates a
 * Request and a Response for every call, parses the response twice and waits for a timer, which takes five
 * times as long.
 *
 * Node's global agents keep connections open, and use a proxy if NODE_USE_ENV_PROXY is set. A redirect is an
 * error, because the POST would go to an address that is not configured.
 */
export function httpRpc(endpoint: string, options: HttpRpcOptions): Transport<'http'> {
  const ask = createAsker(endpoint, options)
  return () =>
    createTransport({
      key: 'http',
      name: 'JSON-RPC over HTTP',
      type: 'http',
      retryCount: 0, // viem would wait as long as a Retry-After says, and retry after a time-out
      timeout: options.timeout,
      // viem types requests by method; this transport passes them on unchanged.
      request: ask as never,
    })
}

function createAsker(endpoint: string, { timeout, batch, maxBytes = defaultMaxBytes }: HttpRpcOptions) {
  const url = new URL(endpoint)
  let lastId = 0
  let waiting: Pending[] = []

  function flush(): void {
    const all = waiting
    waiting = []
    for (const calls of batches(all)) void send(calls)
  }

  async function send(calls: readonly Pending[]): Promise<void> {
    const texts = calls.map(({ text }) => text).join()
    try {
      const answers = readAnswers(
        await post(url, batch ? `[${texts}]` : texts, { timeout, maxBytes }),
        calls,
        batch,
      )
      for (const { body, text, resolve, reject } of calls) {
        const { error, result } = answers.get(body.id) ?? {}
        if (error) reject(new RpcRequestError({ body: shown({ body, text }), error, url: endpoint }))
        else resolve(result)
      }
    } catch (error) {
      const failure = toRequestError(error, { body: calls.map(shown), url: endpoint })
      for (const { reject } of calls) reject(failure)
    }
  }

  return ({ method, params }: RpcCall): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    lastId++
    const body: RpcBody = { jsonrpc: '2.0', id: lastId, method, params }
    const call: Pending = { body, text: JSON.stringify(body), resolve, reject }
    if (!batch) void send([call])
    else if (waiting.push(call) === 1) setImmediate(flush)
    return promise
  }
}

/** Splits requests into batches of limited number and size. */
function* batches(calls: readonly Pending[]): Generator<readonly Pending[]> {
  let batch: Pending[] = []
  let length = 0
  for (const call of calls) {
    if (batch.length === maxBatch || (batch.length > 0 && length + call.text.length > maxBatchLength)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(call)
    length += call.text.length
  }
  if (batch.length > 0) yield batch
}

/** What an error shows of a request: a build's, with the code that it simulates, has 60 kB. */
const shown = ({ body, text }: Pick<Pending, 'body' | 'text'>) =>
  text.length <= maxShown ? body : { id: body.id, method: body.method }

interface RpcAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

interface HttpAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

const isSuccess = (status: number) => status >= 200 && status <= 299

/** Thrown if there is no response in time. */
class Silence extends Error {
  override readonly name = 'Silence'
}

/** Thrown for an HTTP status that is not a success. */
class BadStatus extends Error {
  override readonly name = 'BadStatus'
  readonly answer: HttpAnswer
  constructor(answer: HttpAnswer) {
    super(`HTTP ${answer.status}`)
    this.answer = answer
  }
}

/**
 * The responses by the ids of their requests, exactly one for each. If one is missing or belongs to another
 * batch, all of them fail.
 */
function readAnswers(
  answer: HttpAnswer,
  calls: readonly Pending[],
  batch: boolean,
): ReadonlyMap<unknown, RpcAnswer> {
  if (!isSuccess(answer.status)) throw new BadStatus(answer)
  const parsed: unknown = JSON.parse(answer.text)
  if (Array.isArray(parsed) !== batch) throw new TypeError('The answer to a batch is not a batch')
  const answers: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const byId = new Map(answers.filter(isAnswer).map((one) => [one.id, one]))
  const fits = answers.length === calls.length && calls.every(({ body }) => byId.has(body.id))
  if (!fits) throw new TypeError('The answers do not match the requests')
  return byId
}

const isAnswer = (value: unknown): value is RpcAnswer => typeof value === 'object' && value !== null

function toRequestError(
  error: unknown,
  { body, url }: { readonly body: Record<string, unknown>[]; readonly url: string },
): Error {
  if (error instanceof Silence) return new TimeoutError({ body, url })
  if (error instanceof BadStatus) {
    const { status, retryAfter = '', text } = error.answer
    const headers = new Headers({ 'retry-after': retryAfter })
    return new HttpRequestError({ body, url, status, headers, details: text.slice(0, 200) })
  }
  return new HttpRequestError({ body, url, cause: error instanceof Error ? error : new Error(String(error)) })
}

/** @throws Silence, and errors of the socket */
function post(
  url: URL,
  body: string,
  { timeout, maxBytes }: Required<Pick<HttpRpcOptions, 'timeout' | 'maxBytes'>>,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const request = send(url, { method: 'POST', headers }, (response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxBytes) giveUp(new TypeError('The answer is too large'))
    })
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { statusCode: status = 0 } = response
      // Node.js parses the headers when they are first read, which a success does not need.
      resolve({ status, retryAfter: isSuccess(status) ? undefined : response.headers['retry-after'], text })
    })
    response.on('error', reject)
  })
  const giveUp = (error: Error) => {
    reject(error)
    request.destroy()
  }
  // Not the socket's own time-out, which restarts with each byte.
  const timer = setTimeout(() => giveUp(new Silence('No answer in time')), timeout)
  request.on('error', reject)
  request.on('close', () => {
    clearTimeout(timer)
    reject(new TypeError('The connection was closed before the answer ended'))
  })
  request.end(body)
  return promise
}
