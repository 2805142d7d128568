import { initTRPC } from '@trpc/server'
import { findEndpoint } from '../platform/endpoint-list.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import { findRequest } from '../platform/log/current-request.ts'
import { toTrpcError } from './errors/error-answer.ts'
import type { RequestContext } from './request-context.ts'

const trpc = initTRPC.context<RequestContext>().create({
  // No answer contains a stack, regardless of NODE_ENV.
  isDev: false,
  // Pings: balancers close silent connections, and a reader notices a dead connection by their absence.
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
  // Without it, tRPC labels a streamed batch as one JSON document.
  jsonl: { contentType: 'application/jsonl' },
  errorFormatter({ error, path, ctx }) {
    const declaration = path === undefined ? undefined : findEndpoint(path)
    const requestId = (ctx ?? findRequest())?.requestId ?? ''
    return toTrpcError(toLanyardError(error), requestId, declaration)
  },
})

export const { router, procedure } = trpc
