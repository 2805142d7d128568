import type { IncomingMessage } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { RequestHandler } from 'express'
import { chargeAddress } from '../../http/admit.ts'
import { currentRequest } from '../../http/http-request-context.ts'
import { calledNames, maxBatchSize, maxBodyBytes } from '../../http/limits.ts'
import { replyError, setRetryAfter } from '../../http/reply-error.ts'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'
import { logError } from '../../pipeline/errors/log-error.ts'
import { requireSingleCall } from '../../pipeline/idempotency/key-format.ts'
import { findEndpoint } from '../../platform/endpoint-list.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { appRouter } from '../../routers/router.ts'
import { StreamEnded } from '../../routers/subscriptions.ts'

/** Rejects a path with too many calls before any work is done for them: a comma costs its sender one byte. */
export const rejectLongBatches: RequestHandler = (request, _response, next) => {
  if (calledNames(request.path).length <= maxBatchSize) return next()
  chargeAddress(currentRequest())
  const message = `At most ${maxBatchSize} calls in one request`
  throw new LanyardError('INVALID_INPUT', { issues: [{ path: '', message }] })
}

const jsonType = 'application/json; charset=utf-8'

/** The methods that tRPC handles; for others, such as TRACE, it cannot even create its request object. */
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
 * tRPC builds a URL from Host and target, and reads only its path and query. The host must therefore be valid
 * in a URL, whatever a client sends, and the target must not begin with `//`.
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
    // Without it, tRPC sends the JSON of a rejected request as plain text. A stream has its own content type.
    responseMeta: ({ eagerGeneration }) => (eagerGeneration ? {} : { headers: { 'content-type': jsonType } }),
    onError({ error, path }) {
      if (error.cause instanceof StreamEnded) return
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
