import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { RequestHandler } from 'express'
import { findEndpoint } from '../endpoint-list.ts'
import { toErrorAnswer } from '../errors/error-answer.ts'
import { logError } from '../errors/log-error.ts'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { requireSingleCall } from '../idempotency/key-format.ts'
import { appRouter } from '../router.ts'
import { currentRequest } from './current-request.ts'
import { maxBatchSize, maxBodyBytes } from './limits.ts'

/** tRPC's own HTTP transport over the router. */
export function trpcHandler(): RequestHandler {
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
    onError({ error, path }) {
      const { log, requestId } = currentRequest()
      const lanyardError = toLanyardError(error)
      const { status } = toErrorAnswer(
        lanyardError,
        requestId,
        path === undefined ? undefined : findEndpoint(path),
      )
      logError(log, lanyardError, status)
    },
  })
}
