import type { IncomingMessage } from 'node:http'
import { requireIdempotencyKey } from '../../pipeline/idempotency/key-format.ts'
import type { Calls } from '../../pipeline/rate-limits/rate-limits.ts'
import { callsOf } from './buckets.ts'
import { givenKey } from './given-key.ts'
import type { HttpRequestContext } from './http-request-context.ts'
import { limitRate } from './limit-rate.ts'
import { isOpen } from './open-paths.ts'
import { requireApiKey } from './require-api-key.ts'

/** The policy of a request that follows from its path. */
export interface RoutePolicy {
  /** No credentials are needed. */
  readonly open: boolean
  /** The number of counts in each bucket. */
  readonly calls: Calls
}

export const routePolicyOf = (path: string): RoutePolicy => ({ open: isOpen(path), calls: callsOf(path) })

/**
 * Identifies the sender of a request and rejects unauthorised ones, before any of it is read. The rate is
 * checked before the credentials, so that guessing them is limited, too.
 *
 * @throws DATABASE_UNAVAILABLE, RATE_LIMITED, UNAUTHORIZED, FORBIDDEN; INVALID_INPUT for a malformed
 * Idempotency-Key
 */
export async function admit(
  request: IncomingMessage,
  context: HttpRequestContext,
  { open, calls }: RoutePolicy,
): Promise<void> {
  const { apiKeys, env } = context.services
  const text = open ? undefined : givenKey(request)
  // An unknown key is ignored here.
  if (text !== undefined) context.apiKey = await apiKeys.find(text)
  if (env.RATE_LIMITS !== 'off') await limitRate(context, calls)
  if (!open) await requireApiKey(request, context)
  // Requests that only read ignore the header.
  if (request.method === 'POST' && context.idempotencyKey !== undefined) {
    requireIdempotencyKey(context.idempotencyKey)
  }
}
