import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { RequestContext } from '../request-context.ts'
import type { Services } from '../services.ts'
import { apiKeyReader } from './api-keys.ts'
import { runInRequest } from './current-request.ts'
import { readUserToken } from './user-token.ts'

/** What may come from outside into every line of the log. */
const saneRequestId = /^[\w.:-]{1,128}$/

/** A batch names each of its calls. Characters. */
const loggedPathLength = 200

/** Gives every request its id, its log and its signal, and logs what became of it. */
export function beginRequest(services: Services): RequestHandler {
  const readApiKey = apiKeyReader(services.env)
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
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
      const milliseconds = Math.round(performance.now() - began)
      log.info({ method, path, status: response.statusCode, milliseconds }, 'request')
    })
    const context: RequestContext = {
      services,
      requestId,
      log,
      signal: gone.signal,
      userToken: readUserToken(request),
      apiKey: readApiKey(request),
      idempotencyKey: request.get('idempotency-key'),
      setHeader: (name, value) => {
        if (!response.headersSent) response.setHeader(name, value)
      },
    }
    runInRequest(context, next)
  }
}
