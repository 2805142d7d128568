import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { ApiKey } from '../../domain/accounts/api-keys/api-key.ts'
import { addressKey } from '../../pipeline/rate-limits/address-key.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { Services } from '../../pipeline/services.ts'
import { fixedFields } from '../../platform/log/log.ts'
import type { Transport } from '../../platform/metrics/metrics.ts'
import { callerAddress } from './forwarded.ts'
import { readUserToken } from './user-token.ts'

/** What may come from outside into every line of the log. */
const saneRequestId = /^[\w.:-]{1,128}$/

/** A batch names each of its calls. Characters. */
const loggedPathLength = 200

/** What is known of a request before anything asks who sent it. */
export interface HttpRequestContext extends RequestContext {
  readonly transport: Transport
  /** Found by `admit`. */
  apiKey: ApiKey | undefined
}

interface RequestStart {
  /** Without the query: that may name a user. */
  readonly path: string
  readonly transport: Transport
  readonly setHeader: RequestContext['setHeader']
}

/** The id under which a request is answered and logged: the caller's own where it has one that may be logged. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
}

/** What every request gets: its context, and, once it is answered, a count and a line in the log. */
export function requestsOf(
  services: Services,
): (
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
  start: RequestStart,
) => HttpRequestContext {
  const { metrics } = services
  const log = fixedFields(services.log)
  return (requestId, request, response, start) => {
    const context = new Context(services, requestId, request, start)
    const { path, transport } = start
    const began = performance.now()
    response.on('close', () => {
      const { method } = request
      const { statusCode: status } = response
      metrics.countRequest({ transport, status })
      if (!log.isLevelEnabled('debug')) return
      const milliseconds = Math.round(performance.now() - began)
      const loggedPath = path.slice(0, loggedPathLength)
      log.debug({ requestId, method, path: loggedPath, status, milliseconds, ...context.noted }, 'request')
    })
    return context
  }
}

/**
 * A class, for its getter: in the literal of an object, a getter gives each of them a shape of its own, which refers to
 * whatever the getter does, and lives until the next full garbage collection.
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
  #log: Logger | undefined
  #address: string | undefined

  constructor(services: Services, requestId: string, request: IncomingMessage, start: RequestStart) {
    const { headers } = request
    this.#request = request
    this.services = services
    this.requestId = requestId
    this.transport = start.transport
    this.setHeader = start.setHeader
    this.userToken = readUserToken(headers.authorization)
    this.origin = textOf(headers.origin)
    this.traceparent = textOf(headers.traceparent)
    this.idempotencyKey = textOf(headers['idempotency-key'])
  }

  /** Made when it is needed: most requests log nothing but their line. */
  get log(): Logger {
    this.#log ??= this.services.log.child({ requestId: this.requestId })
    return this.#log
  }

  /** Read once: a connection that closes loses its address. */
  get address(): string {
    const request = this.#request
    const named = () => callerAddress(request, this.services.env.TRUST_PROXY)
    this.#address ??= addressKey(named(), request.socket.remoteAddress)
    return this.#address
  }

  readonly note = (fields: Readonly<Record<string, string>>): void => {
    this.noted = { ...this.noted, ...fields }
  }
}

/** Node joins headers that come more than once, except one that no request has. */
const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

export const isHttpRequestContext = (request: object): request is HttpRequestContext =>
  request instanceof Context
