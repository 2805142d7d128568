import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { ApiKey } from '../../domain/accounts/api-keys/api-key.ts'
import type { CallCosts, StartedCall } from '../../pipeline/costs/call-costs.ts'
import { addressKey } from '../../pipeline/rate-limits/address-key.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { Services } from '../../pipeline/services.ts'
import type { Meter } from '../../platform/load/meter.ts'
import { fixedFields } from '../../platform/log/log.ts'
import type { Transport } from '../../platform/metrics/metrics.ts'
import { callerAddress, readUserToken } from './read-request.ts'
import { isLogged, requestLine } from './request-line.ts'

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

/**
 * A class, because of its getters: a getter in an object literal gives each object its own shape, which keeps
 * everything that the getter refers to alive until the next full garbage collection.
 */
class Context implements HttpRequestContext {
  readonly services: Services
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
  readonly #bytesRead: number
  readonly #bytesWritten: number
  #log: Logger | undefined
  #address: string | undefined

  constructor(services: Services, requestId: string, request: IncomingMessage, start: RequestStart) {
    const { headers } = request
    this.#request = request
    // A connection has one request at a time, so all its bytes until the end are of this one, besides its head.
    this.#bytesRead = request.socket.bytesRead
    this.#bytesWritten = request.socket.bytesWritten
    this.services = services
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
    return started
  }

  /** Charges what the request used, when its response is closed. */
  settle(): void {
    this.#isClosed = true
    const { bytesRead, bytesWritten } = this.#request.socket
    this.#call?.end({ received: bytesRead - this.#bytesRead, sent: bytesWritten - this.#bytesWritten })
  }

  readonly note = (fields: Readonly<Record<string, string>>): void => {
    this.noted = { ...this.noted, ...fields }
  }
}

/** Node joins repeated headers, except one that requests do not have. */
const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

export const isHttpRequestContext = (request: object): request is HttpRequestContext =>
  request instanceof Context
