import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LanyardError } from '@lanyard/contracts'
import type { Logger } from 'pino'
import { type ApiKey, callerName } from '../domain/accounts/api-keys/api-key.ts'
import { addressKey, groupOf } from '../domain/accounts/callers/caller.ts'
import type { CallCosts, StartedCall } from '../pipeline/costs/call-costs.ts'
import type { Project } from '../pipeline/project.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import type { Services } from '../pipeline/services.ts'
import { findEndpoint } from '../platform/endpoint-list.ts'
import type { Meter } from '../platform/load/meter.ts'
import { findRequest } from '../platform/log/current-request.ts'
import { fixedFields } from '../platform/log/log.ts'
import type { Transport } from '../platform/metrics/metrics.ts'
import { calledNames } from './limits.ts'
import { livenessPath, readinessPath } from './probes.ts'
import { callerAddress, readUserToken } from './read-request.ts'

/** Request ids of callers that may appear in every log line. */
const saneRequestId = /^[\w.:-]{1,128}$/

/** The context of a request before its sender is identified. */
export interface HttpRequestContext extends RequestContext {
  readonly transport: Transport
  /** Set by `admit`. */
  apiKey: ApiKey | undefined
  /**
   * Charges the request until its response is closed.
   *
   * @throws RATE_LIMITED
   */
  charge(call: Omit<Parameters<CallCosts['begin']>[0], 'isGone'>): StartedCall
}

interface RequestStart {
  /** Without the query, which may name a user. */
  readonly path: string
  readonly transport: Transport
  readonly setHeader: RequestContext['setHeader']
}

/**
 * The id under which a request is answered and logged: the caller's own id if it may be logged, otherwise a
 * new one.
 */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
}

/** Prepares every request: creates its context, and after the answer, counts it and writes a log line. */
export function requestsOf(
  services: Services,
): (
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
  start: RequestStart,
) => HttpRequestContext {
  const { metrics, env } = services
  const log = fixedFields(services.log)
  return (requestId, request, response, start) => {
    const context = new Context(services, requestId, request, start)
    const { path, transport } = start
    const began = performance.now()
    const isEnabled = log.isLevelEnabled('info')
    if (isEnabled) context.readAddress()
    response.on('close', () => {
      context.settle()
      const { method } = request
      const { statusCode: status } = response
      metrics.countRequest({ transport, status })
      if (!isEnabled || !isLogged({ status, path }, env.REQUEST_LOG, Math.random())) return
      const milliseconds = Math.round(performance.now() - began)
      const line = requestLine(context, { method, path, status, milliseconds })
      log.info({ ...line, ...context.noted }, 'request')
    })
    return context
  }
}

interface Position {
  /** The byte at which the next request begins; unknown while one is read that does not say its length. */
  next: number | undefined
  /** How far the bytes that were sent are charged. */
  sent: number
}

/** Where the requests of a connection are. */
const positions = new WeakMap<Socket, Position>()

/** Node reads at most so many bytes at once. */
const largestRead = 64 * 1024

/** Version, spaces and line ends of the first line, and the empty line. */
const startBytes = 14

/**
 * Where a request begins and ends in the bytes of its connection. Its body, or a part of it, usually arrives with its head,
 * and so may the next requests. What Node drops of a refused body is of no request: the next one may be of another
 * caller behind the same proxy.
 */
function placeBytes({ socket, method = '', url = '', headers, rawHeaders }: IncomingMessage) {
  const position = positions.get(socket) ?? { next: 0, sent: 0 }
  const head = rawHeaders.reduce(
    (sum, text) => sum + text.length + 2,
    method.length + url.length + startBytes,
  )
  const isChunked = headers['transfer-encoding'] !== undefined
  const latest = socket.bytesRead - head
  // A head may be written with more or fewer spaces than that.
  const start = Math.max(Math.min(position.next ?? latest, latest), latest - largestRead)
  position.next = isChunked ? undefined : start + head + Number(headers['content-length'] ?? 0)
  positions.set(socket, position)
  return { position, start, end: position.next ?? Number.POSITIVE_INFINITY }
}

/**
 * A class, because of its getters: a getter in an object literal gives each object its own shape, which keeps
 * everything that the getter refers to alive until the next full garbage collection.
 */
class Context implements HttpRequestContext {
  readonly services: Services
  readonly project: Project
  readonly requestId: string
  readonly transport: Transport
  readonly setHeader: RequestContext['setHeader']
  readonly userToken: string | undefined
  readonly origin: string | undefined
  readonly traceparent: string | undefined
  readonly idempotencyKey: string | undefined
  readonly #request: IncomingMessage
  apiKey: ApiKey | undefined = undefined
  noted: Readonly<Record<string, string>> = {}
  #call: StartedCall | undefined
  #isClosed = false
  readonly #bytes: ReturnType<typeof placeBytes>
  readonly #bytesWritten: number
  #log: Logger | undefined
  #address: string | undefined

  constructor(services: Services, requestId: string, request: IncomingMessage, start: RequestStart) {
    const { headers } = request
    this.#request = request
    this.#bytes = placeBytes(request)
    this.#bytesWritten = request.socket.bytesWritten
    this.services = services
    this.project = services.project
    this.requestId = requestId
    this.transport = start.transport
    this.setHeader = start.setHeader
    this.userToken = readUserToken(headers.authorization)
    this.origin = textOf(headers.origin)
    this.traceparent = textOf(headers.traceparent)
    this.idempotencyKey = textOf(headers['idempotency-key'])
  }

  /** Created on demand: most requests log only their own line. */
  get log(): Logger {
    this.#log ??= this.services.log.child({ requestId: this.requestId })
    return this.#log
  }

  get address(): string {
    return this.readAddress()
  }

  /** Reads the address once, because a closed connection loses it. */
  readAddress(): string {
    const request = this.#request
    const named = () => callerAddress(request, this.services.env.TRUST_PROXY)
    this.#address ??= addressKey(named(), request.socket.remoteAddress)
    return this.#address
  }

  get meter(): Meter | undefined {
    return this.#call?.meter
  }

  charge(call: Omit<Parameters<CallCosts['begin']>[0], 'isGone'>): StartedCall {
    this.#call?.end({ received: 0, sent: 0 }) // a path that is no page goes on to be admitted
    const started = this.services.callCosts.begin({ ...call, isGone: () => this.#isClosed })
    this.#call = started
    // Its caller left before it was known, so that nothing else would end it.
    if (this.#isClosed) started.end({ received: 0, sent: 0 })
    return started
  }

  /** Charges what the request used, when its response is closed. */
  settle(): void {
    this.#isClosed = true
    const { bytesRead, bytesWritten } = this.#request.socket
    const { position, start, end } = this.#bytes
    position.next ??= bytesRead
    // Requests that arrived together are answered one after the other.
    const sent = bytesWritten - Math.max(this.#bytesWritten, position.sent)
    position.sent = bytesWritten
    this.#call?.end({ received: Math.min(bytesRead, end) - start, sent })
  }

  chargeSent(): void {
    const { position } = this.#bytes
    const { bytesWritten } = this.#request.socket
    this.#call?.send(bytesWritten - Math.max(this.#bytesWritten, position.sent))
    position.sent = bytesWritten
  }

  readonly note = (fields: Readonly<Record<string, string>>): void => {
    this.noted = { ...this.noted, ...fields }
  }
}

/** Node joins repeated headers, except one that requests do not have. */
const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

const isHttpRequestContext = (request: object): request is HttpRequestContext => request instanceof Context

/**
 * The current request, as `beginRequest` created it. It is kept in its own store instead of an argument,
 * since tRPC formats some errors before it creates a context, and those need the request id too.
 *
 * @throws INTERNAL outside requests
 */
export function currentRequest(): HttpRequestContext {
  const request = findRequest()
  if (request && isHttpRequestContext(request)) return request
  throw new LanyardError('INTERNAL', { cause: 'no request is being answered here' })
}

/** Maximum number of characters: a batch names each of its calls in the path. */
const loggedPathLength = 200

/** One in so many requests of callers who are over their limit: they can make as many as they like. */
const rejectedStep = 100

/**
 * Whether a request is logged.
 *
 * @param percent - REQUEST_LOG
 * @param chance - from 0 to 1
 */
export function isLogged(
  { status, path }: { readonly status: number; readonly path: string },
  percent: number,
  chance: number,
): boolean {
  if (status === 429) return chance < 1 / rejectedStep
  if (status >= 400) return true
  return path !== livenessPath && path !== readinessPath && chance < percent / 100
}

interface Sent {
  readonly requestId: string
  readonly apiKey: ApiKey | undefined
  /** As `addressKey` returns it. */
  readonly address: string
}

interface Answered {
  readonly method: string | undefined
  /** Without the query, which may name a user. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
}

/** The fields of a request's line. None of them identifies a person: of the address, only its network is kept. */
export function requestLine(
  { requestId, apiKey, address }: Sent,
  { method, path, status, milliseconds }: Answered,
) {
  const names = calledNames(path).filter((name) => findEndpoint(name))
  return {
    requestId,
    ...(apiKey && { key: callerName(apiKey) }),
    from: addressPrefix(address),
    method,
    path: path.slice(0, loggedPathLength),
    ...(names.length > 0 && { endpoint: names.join(',') }),
    status,
    milliseconds,
  }
}

/**
 * The network of an address: its /24, or its /48, which providers give to one customer.
 *
 * @param address - as `addressKey` returns it
 */
export function addressPrefix(address: string): string {
  const group = groupOf({ kind: 'address', name: address })
  if (address.includes(':')) return `${group}::/48`
  return address.includes('.') ? `${group}.0/24` : address
}
