import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createTransport, HttpRequestError, isHex, RpcRequestError, TimeoutError, type Transport } from 'viem'
import type { LearnedLimit } from './endpoint-state.ts'
import { AnswerTooLargeError, classifyError, ProviderRejection } from './provider-errors.ts'
import { isSimulation, requestCount } from './request-queue.ts'
import { startTimeLimit } from './time-limit.ts'

/** viem's default. */
const defaultMaxBytes = 10_485_760

/**
 * Maximum length of a batch in characters, unless a single request is longer. Nodes reject long bodies as a
 * whole, anvil those over 2 MB.
 */
const maxBatchLength = 1_000_000

/** How much of a response that is no answer is read for its words. */
const maxWords = 200

/** Maximum length of a request whose parameters are in an error, and so in the log. */
const maxShown = 500

export interface HttpRpcOptions {
  /** Milliseconds from sending an HTTP request to the last byte of its response. */
  readonly timeout: number
  /**
   * Maximum number of requests in one batch (JSON-RPC 2.0, section 6): those of the same turn of the event
   * loop. It learns from refusals. Absent: each request is sent alone.
   */
  readonly batch?: LearnedLimit
  /** Who waits for the answer. Absent: always the same. */
  readonly callerOf?: (() => unknown) | undefined
  /** Maximum size of a response. */
  readonly maxBytes?: number
  /** Called with the head of the node that answered a batch, before its calls are settled. */
  readonly headSeen?: (head: number) => void
}

type RpcCall = {
  readonly method: string
  readonly params?: unknown
  /**
   * The node that answers must have this block: its head is asked for in the same batch, and an older one is refused as
   * `block-unknown`. Ignored for a request that is sent alone.
   */
  readonly notBefore?: number
}

/** A type alias, because viem's errors accept only types with an index signature. */
type RpcBody = Pick<RpcCall, 'method' | 'params'> & { readonly jsonrpc: '2.0'; readonly id: number }

interface Pending {
  readonly body: RpcBody
  /** The body in JSON. */
  readonly text: string
  /** Called each time it is sent. */
  readonly sent: (() => void) | undefined
  readonly notBefore: number | undefined
  readonly caller: unknown
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
  const ask = createRequester(endpoint, options)
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

function createRequester(
  endpoint: string,
  { timeout, batch, callerOf, maxBytes = defaultMaxBytes, headSeen }: HttpRpcOptions,
) {
  const url = new URL(endpoint)
  let lastId = 0
  let waiting: Pending[] = []

  function flush(): void {
    const all = waiting
    waiting = []
    for (const group of withSimulationsApart(all))
      for (const calls of batches(group, batch?.current ?? 1, requestHead)) void send(calls)
  }

  const toPending = (
    { method, params, notBefore }: RpcCall,
    { resolve, reject }: Pick<Pending, 'resolve' | 'reject'>,
  ): Pending => {
    lastId++
    const body: RpcBody = { jsonrpc: '2.0', id: lastId, method, params }
    const text = JSON.stringify(body)
    return { body, text, sent: requestCount(), notBefore, caller: callerOf?.(), resolve, reject }
  }
  const requestHead = () => toPending({ method: headMethod, params: [] }, { resolve() {}, reject() {} })

  async function send(calls: readonly Pending[]): Promise<void> {
    const outcome = await exchange(calls)
    if (!isRejection(outcome) || !batch) return
    await (outcome.isExplicit ? sendInParts : sendFirstAlone)(calls, outcome, batch)
  }

  /**
   * Nothing says whether the provider refuses the batch, or fails. Its first request alone shows which: if that fails
   * too, the others are not sent.
   */
  async function sendFirstAlone(
    calls: readonly Pending[],
    rejection: BatchRejection,
    limit: LearnedLimit,
  ): Promise<void> {
    const [first, ...others] = calls
    if (!first) return
    const left = isOfHead(first) ? [requestHead(), ...others] : others
    const outcome = await exchange([first])
    if (outcome === 'failed') for (const call of left) call.reject(rejection.errorOf(call))
    else if (left.length > 1) await sendInParts(left, rejection, limit)
    else {
      limit.refused(calls.length)
      await send(left)
    }
  }

  /**
   * Sends a refused batch in smaller ones until one is accepted; the others then follow at once. If a request alone
   * is refused in the same way, the number was not the reason, and the others are sent alone: a refusal says nothing
   * about them.
   */
  async function sendInParts(
    calls: readonly Pending[],
    rejection: BatchRejection,
    limit: LearnedLimit,
  ): Promise<void> {
    const before = limit.save()
    for (let size = calls.length; ; ) {
      limit.refused(size)
      size = Math.min(limit.current, Math.ceil(size / 2))
      const outcome = await exchange(calls.slice(0, size), rejection)
      if (isRejection(outcome)) continue
      const left = calls.slice(size)
      if (outcome === 'failed' && size > 1) {
        for (const call of left) call.reject(rejection.errorOf(call)) // no answer
        return
      }
      if (outcome === 'failed') limit.restore(before)
      for (const rest of batches(left, size, requestHead)) void send(rest)
      return
    }
  }

  /**
   * One HTTP request. It settles its calls, unless the provider refuses the batch as such.
   *
   * @param earlier - the refusal of a batch that contained these calls: the same words again are no answer
   */
  async function exchange(calls: readonly Pending[], earlier?: BatchRejection): Promise<Outcome> {
    const isBatch = calls.length > 1
    for (const { sent } of calls) sent?.()
    const texts = calls.map(({ text }) => text).join()
    const rpcError = ({ body, text }: Pending, error: RpcFailure) =>
      new RpcRequestError({ body: shown({ body, text }), error, url: endpoint })
    try {
      const answer = await post(url, isBatch ? `[${texts}]` : texts, { timeout, maxBytes })
      const parsed = parse(answer)
      const failure = batch && readFailure(answer, parsed, isBatch)
      const isExplicit = failure !== undefined
      if (
        batch &&
        isBatch &&
        (isExplicit ? !isRateLimit(answer, failure) : mayRefuseBatch(answer, parsed, calls))
      ) {
        const error = toRequestError(new BadAnswer(answer), { body: calls.map(shown), url: endpoint })
        return {
          isExplicit,
          words: failure?.message,
          errorOf: (call) => (failure && isSuccess(answer.status) ? rpcError(call, failure) : error),
        }
      }
      const answers = failure
        ? new Map<unknown, RpcAnswer>(calls.map(({ body: { id } }) => [id, { id, error: failure }]))
        : readAnswers(answer, parsed, calls)
      const head = headIn(calls, answers)
      if (head !== undefined) headSeen?.(head)
      let outcome: Outcome = 'answered'
      const again: Pending[] = []
      for (const call of calls) {
        const { error: said, result } = answers.get(call.body.id) ?? {}
        const error = said ? toFailure(said) : undefined
        if (head !== undefined && call.notBefore !== undefined && head < call.notBefore)
          call.reject(nodeBehind(call, head))
        else if (!error) call.resolve(result)
        // Some providers answer the first calls of a batch, and refuse the others.
        else if (isBatch && batch && classifyFailure(error) === 'batch-too-large') again.push(call)
        else call.reject(rpcError(call, error))
        if (error && earlier?.words !== undefined && error.message === earlier.words) outcome = 'failed'
      }
      if (batch && again.length > 0) {
        batch.refused(calls.length)
        for (const part of batches(again, Math.min(batch.current, calls.length - 1), requestHead))
          void send(part)
      } else if (isBatch && !failure) batch?.accepted(calls.length)
      return outcome
    } catch (error) {
      if (error instanceof AnswerTooLargeError && isBatch) {
        for (const part of batches(calls, calls.length >> 1, requestHead)) void send(part)
        return 'answered'
      }
      const failure = toRequestError(error, { body: calls.map(shown), url: endpoint })
      for (const { reject } of calls) reject(failure)
      return 'failed'
    }
  }

  return (request: RpcCall): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const call = toPending(request, { resolve, reject })
    if (!batch) void send([call])
    else if (waiting.push(call) === 1) setImmediate(flush)
    return promise
  }
}

/**
 * A node answers a batch when its last call is done. If several callers share the turn, none of them waits for what another
 * one simulates: each simulation is sent apart from the rest.
 */
function withSimulationsApart(calls: readonly Pending[]): readonly (readonly Pending[])[] {
  if (calls.every(({ caller }) => caller === calls[0]?.caller)) return [calls]
  const reads = calls.filter((call) => !mayTakeLong(call))
  return [reads, ...calls.filter(mayTakeLong).map((call) => [call])]
}

const mayTakeLong = ({ body: { method, params } }: Pending): boolean => isSimulation(method, params)

/**
 * Splits requests into batches of limited number and size.
 *
 * @param requestHead - creates a request for the head; it is the first of each batch with a request that must not be
 * answered by a node that is behind. A node answers the requests of a batch in turn.
 */
function* batches(
  calls: readonly Pending[],
  maximum: number,
  requestHead?: () => Pending,
): Generator<readonly Pending[]> {
  let batch: Pending[] = []
  let length = 0
  for (const call of calls) {
    if (batch.length === maximum || (batch.length > 0 && length + call.text.length > maxBatchLength)) {
      yield batch
      batch = []
      length = 0
    }
    if (requestHead && maximum > 1 && call.notBefore !== undefined && !batch.some(isOfHead)) {
      if (batch.length + 2 > maximum) {
        yield batch
        batch = []
        length = 0
      }
      batch.unshift(requestHead())
    }
    batch.push(call)
    length += call.text.length
  }
  if (batch.length > 0) yield batch
}

const headMethod = 'eth_blockNumber'

const isOfHead = ({ body }: Pending) => body.method === headMethod

/** The head of the node that answered these calls, if one of them asks for it. */
function headIn(calls: readonly Pending[], answers: ReadonlyMap<unknown, RpcAnswer>): number | undefined {
  const requested = calls.length > 1 ? calls.find(isOfHead) : undefined
  const head = requested && answers.get(requested.body.id)?.result
  return isHex(head) ? Number(head) : undefined
}

const nodeBehind = ({ body, notBefore }: Pending, head: number) =>
  new ProviderRejection(
    'block-unknown',
    body.method,
    `the node is at block ${head}, but another one had block ${notBefore}`,
  )

/** What an error shows of a request: a build's, with the code that it simulates, has 60 kB. */
const shown = ({ body, text }: Pick<Pending, 'body' | 'text'>) =>
  text.length <= maxShown ? body : { id: body.id, method: body.method }

interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

interface RpcAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** A provider's refusal of a whole batch. */
interface BatchRejection {
  /** Whether the provider says so. */
  readonly isExplicit: boolean
  readonly words: string | undefined
  /** The error of a call that cannot be sent in a smaller batch. */
  readonly errorOf: (call: Pending) => Error
}

/** How a HTTP request ended; after a refusal, its calls are not settled. */
type Outcome = 'answered' | 'failed' | BatchRejection

const isRejection = (outcome: Outcome): outcome is BatchRejection => typeof outcome === 'object'

interface HttpAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

const isSuccess = (status: number) => status >= 200 && status <= 299

/** HTTP statuses that are an answer to this request, unlike those of an outage or of a wrong key. */
const rejectingStatuses: readonly number[] = [400, 405, 413, 414, 422, 501]

/** JSON-RPC's "invalid request", with which some providers refuse batches. */
const invalidRequest = -32600

/**
 * The error with which a provider refuses an HTTP request as a whole: a status, one error in place of a batch,
 * or the same error for each request of a batch. Undefined if there is none.
 */
function readFailure(
  { status, text }: HttpAnswer,
  parsed: unknown,
  isBatch: boolean,
): RpcFailure | undefined {
  const told = isAnswer(parsed) ? toFailure(parsed.error) : undefined
  if (!isSuccess(status)) {
    const words = told ?? { code: status, message: text.slice(0, maxWords) }
    const isOfBatch = isBatch && classifyFailure(words) === 'batch-too-large'
    if (!rejectingStatuses.includes(status) && !isOfBatch) return undefined
    return told ?? (isBatch ? { code: status, message: `HTTP ${status}` } : undefined)
  }
  // Gateways answer without the id of a request that they have not read.
  if (!isBatch) return isAnswer(parsed) && (parsed.id ?? null) === null ? told : undefined
  if (!Array.isArray(parsed)) return told
  const [first, ...others] = parsed.map((one: unknown) => (isAnswer(one) ? toFailure(one.error) : undefined))
  if (!first || others.some((one) => one?.message !== first.message)) return undefined
  const isOfBatch = first.code === invalidRequest || classifyFailure(first) === 'batch-too-large'
  return isOfBatch ? first : undefined
}

/** HTTP statuses that firewalls, and servers that cannot read a batch, give it. */
const doubtfulStatuses: readonly number[] = [403, 500]

/** Whether the answer to a batch is none, so that the provider may have no batches, or none of this size. */
function mayRefuseBatch({ status, text }: HttpAnswer, parsed: unknown, calls: readonly Pending[]): boolean {
  if (isSuccess(status) ? matchAnswers(parsed, calls) : !doubtfulStatuses.includes(status)) return false
  return isJsonRpc(parsed) || classifyFailure({ code: status, message: text }) !== 'rate-limited'
}

/** The error of an answer. JSON-RPC wants an object; some gateways give a text. */
function toFailure(error: unknown): RpcFailure | undefined {
  if (typeof error === 'string') return { code: 0, message: error }
  if (typeof error !== 'object' || error === null) return undefined
  const { message } = error as Partial<RpcFailure>
  return typeof message === 'string' ? (error as RpcFailure) : undefined
}

const classifyFailure = ({ code, message }: RpcFailure) => classifyError({ method: '', code, text: message })

const isRateLimit = ({ status }: HttpAnswer, { code, message }: RpcFailure) =>
  classifyError({ method: '', status, code, text: message }) === 'rate-limited'

/** The JSON of a response; undefined if it is none. */
function parse({ text }: HttpAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Thrown if there is no response in time. */
class ResponseTimeoutError extends Error {
  override readonly name = 'ResponseTimeoutError'
}

/** Thrown for an HTTP status that is not a success, and for a success that is not JSON-RPC. */
class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
  readonly answer: HttpAnswer
  constructor(answer: HttpAnswer) {
    super(`HTTP ${answer.status}`)
    this.answer = answer
  }
}

type AnswersById = ReadonlyMap<unknown, RpcAnswer>

/**
 * The responses by the ids of their requests, exactly one for each. If one is missing or belongs to another
 * batch, all of them fail.
 */
function readAnswers(answer: HttpAnswer, parsed: unknown, calls: readonly Pending[]): AnswersById {
  const found = isSuccess(answer.status) ? matchAnswers(parsed, calls) : undefined
  if (found) return found
  // The answers to other requests may contain the words of a contract.
  if (isSuccess(answer.status) && isJsonRpc(parsed))
    throw new TypeError('The answers do not match the requests')
  throw new BadAnswer(answer)
}

function matchAnswers(parsed: unknown, calls: readonly Pending[]): AnswersById | undefined {
  if (Array.isArray(parsed) !== calls.length > 1) return undefined
  const answers: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const byId = new Map(answers.filter(isAnswer).map((one) => [one.id, one]))
  const fits = answers.length === calls.length && calls.every(({ body }) => byId.has(body.id))
  return fits ? byId : undefined
}

const isJsonRpc = (parsed: unknown): boolean =>
  Array.isArray(parsed) || (isAnswer(parsed) && parsed.id !== undefined)

const isAnswer = (value: unknown): value is RpcAnswer => typeof value === 'object' && value !== null

function toRequestError(
  error: unknown,
  { body, url }: { readonly body: Record<string, unknown>[]; readonly url: string },
): Error {
  if (error instanceof ResponseTimeoutError) return new TimeoutError({ body, url })
  if (error instanceof BadAnswer) {
    const { status, retryAfter = '', text } = error.answer
    const headers = new Headers({ 'retry-after': retryAfter })
    return new HttpRequestError({ body, url, status, headers, details: text.slice(0, maxWords) })
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
      if (bytes > maxBytes) giveUp(new AnswerTooLargeError())
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
  const endLimit = startTimeLimit(timeout, () => giveUp(new ResponseTimeoutError('No answer in time')))
  request.on('error', reject)
  request.on('close', () => {
    endLimit()
    reject(new TypeError('The connection was closed before the answer ended'))
  })
  request.end(body)
  return promise
}
