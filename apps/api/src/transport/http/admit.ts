import type { IncomingMessage } from 'node:http'
import { requireIdempotencyKey } from '../../pipeline/idempotency/key-format.ts'
import type { Calls } from '../../pipeline/rate-limits/rate-limits.ts'
import { callsOf } from './buckets.ts'
import { givenKey } from './given-key.ts'
import type { HttpRequestContext } from './http-request-context.ts'
import { limitRate } from './limit-rate.ts'
import { isOpen } from './open-paths.ts'
import { requireApiKey } from './require-api-key.ts'

/** What a path alone says about a request. */
export interface RoutePolicy {
  /** Nobody needs credentials for it. */
  readonly open: boolean
  /** What it counts as. */
  readonly calls: Calls
}

export const routePolicyOf = (path: string): RoutePolicy => ({ open: isOpen(path), calls: callsOf(path) })

/**
 * Finds out who sent a request, and refuses whoever may not: before anything of it is read, and the rate before the
 * credentials, since guessing them is limited, too.
 *
 * @throws DATABASE_UNAVAILABLE, RATE_LIMITED, UNAUTHORIZED, FORBIDDEN; INVALID_INPUT for a malformed Idempotency-Key
 */
export async function admit(
  request: IncomingMessage,
  context: HttpRequestContext,
  { open, calls }: RoutePolicy,
): Promise<void> {
  const { apiKeys, env } = context.services
  const text = open ? undefined : givenKey(request)
  // A text that is no key of ours says nothing.
  if (text !== undefined) context.apiKey = await apiKeys.find(text)
  if (env.RATE_LIMITS !== 'off') await limitRate(context, calls)
  if (!open) await requireApiKey(request, context)
  // What only reads ignores the header.
  if (request.method === 'POST' && context.idempotencyKey !== undefined) {
    requireIdempotencyKey(context.idempotencyKey)
  }
}
