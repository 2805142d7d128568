import type { IncomingMessage } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { RequestHandler } from 'express'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'
import { logError } from '../../pipeline/errors/log-error.ts'
import { requireSingleCall } from '../../pipeline/idempotency/key-format.ts'
import { findEndpoint } from '../../platform/endpoint-list.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { appRouter } from '../../routers/router.ts'
import { currentRequest } from '../http/current-request.ts'
import { maxBatchSize, maxBodyBytes } from '../http/limits.ts'
import { replyError, setRetryAfter } from '../http/reply-error.ts'

const jsonType = 'application/json; charset=utf-8'

/** What tRPC has a meaning for; for others, such as TRACE, it cannot even make its request object. */
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** tRPC's own HTTP transport over the router. */
export function trpcHandler(): RequestHandler {
  const transport = createTransport()
  return (request, response, next) => {
    if (methods.includes(request.method)) {
      anchorUrl(request)
      return transport(request, response, next)
    }
    response.setHeader('Allow', methods.join(', '))
    replyError(response, new LanyardError('METHOD_NOT_ALLOWED'), currentRequest())
  }
}

/**
 * tRPC makes a URL of Host and target, and reads only the path and the query of it. Whatever a third party names as the
 * host, it is one of which a URL can be made, and `//` begins none in the target.
 */
function anchorUrl(request: IncomingMessage): void {
  request.headers.host = 'localhost'
  request.url = request.url?.replace(/^\/+/, '/')
}

function createTransport(): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    createContext({ info }) {
      const request = currentRequest()
      if (request.idempotencyKey !== undefined && info.type === 'mutation') {
        requireSingleCall(info.calls.length)
      }
      return request
    },
    maxBatchSize,
    maxBodySize: maxBodyBytes,
    // Without it, what tRPC refuses as a whole is JSON by the name of plain text. A stream has a type of its own.
    responseMeta: ({ eagerGeneration }) => (eagerGeneration ? {} : { headers: { 'content-type': jsonType } }),
    onError({ error, path }) {
      const { log, requestId, setHeader } = currentRequest()
      const lanyardError = toLanyardError(error)
      setRetryAfter(setHeader, lanyardError)
      const { status } = toErrorAnswer(
        lanyardError,
        requestId,
        path === undefined ? undefined : findEndpoint(path),
      )
      logError(log, lanyardError, status)
    },
  })
}
