import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Transport } from '../metrics/metrics.ts'
import type { RequestContext } from '../request-context.ts'
import type { Services } from '../services.ts'
import { calledNames } from './called-names.ts'
import { runInRequest } from './current-request.ts'
import { isTrpcPath } from './reply-error.ts'
import { readUserToken } from './user-token.ts'

/** What may come from outside into every line of the log. */
const saneRequestId = /^[\w.:-]{1,128}$/

/** A batch names each of its calls. Characters. */
const loggedPathLength = 200

function transportOf(path: string): Transport {
  if (isTrpcPath(path)) return 'trpc'
  return calledNames(path).length > 0 ? 'rest' : 'page'
}

/** Gives every request its id, its log and its signal, and logs what became of it. */
export function beginRequest(services: Services): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id')
    const requestId = given !== undefined && saneRequestId.test(given) ? given : randomUUID()
    response.setHeader('X-Request-Id', requestId)
    // Every answer is of this moment, and many are private.
    response.setHeader('Cache-Control', 'no-store')

    const log = services.log.child({ requestId })
    const gone = new AbortController()
    // The path without the query: that may name a user.
    const { method } = request
    const path = request.path.slice(0, loggedPathLength)
    const began = performance.now()
    const noted: Record<string, string> = {}
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
      const milliseconds = Math.round(performance.now() - began)
      const { statusCode: status } = response
      log.info({ method, path, status, milliseconds, ...noted }, 'request')
      services.metrics.countRequest({ transport: transportOf(path), status })
    })
    const context: RequestContext = {
      services,
      requestId,
      log,
      signal: gone.signal,
      userToken: readUserToken(request),
      traceparent: request.get('traceparent'),
      note: (fields) => void Object.assign(noted, fields),
      apiKey: undefined, // until `identifyCaller`
      idempotencyKey: request.get('idempotency-key'),
      setHeader: (name, value) => {
        if (!response.headersSent) response.setHeader(name, value)
      },
    }
    runInRequest(context, next)
  }
}
