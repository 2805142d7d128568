import type { IncomingMessage } from 'node:http'
import { LanyardError, type RateBucket } from '@lanyard/contracts'
import { callerOf } from '../../domain/accounts/callers/caller.ts'
import { requireIdempotencyKey } from '../../pipeline/idempotency/key-format.ts'
import type { Calls } from '../../pipeline/rate-limits/rate-limits.ts'
import { bucketsOf, callsOf } from './buckets.ts'
import { givenKey } from './given-key.ts'
import type { HttpRequestContext } from './http-request-context.ts'
import { limitRate } from './limit-rate.ts'
import { maxBodyBytes } from './limits.ts'
import { isOpen } from './open-paths.ts'
import { requireApiKey } from './require-api-key.ts'

/** The policy of a request that follows from its path. */
export interface RoutePolicy {
  /** No credentials are needed. */
  readonly open: boolean
  /** The number of counts in each bucket. */
  readonly calls: Calls
  /** The counter of each call. */
  readonly buckets: readonly RateBucket[]
}

export const routePolicyOf = (path: string): RoutePolicy => ({
  open: isOpen(path),
  calls: callsOf(path),
  buckets: bucketsOf(path),
})

/**
 * Identifies the sender of a request and rejects unauthorised ones, before any of it is read. What the
 * sender used is checked first, since that takes no statement, and the rate before the credentials, so that
 * guessing them is limited, too.
 *
 * @throws DATABASE_UNAVAILABLE, RATE_LIMITED, UNAUTHORIZED, FORBIDDEN, PAYLOAD_TOO_LARGE; INVALID_INPUT for a
 * malformed Idempotency-Key
 */
export async function admit(
  request: IncomingMessage,
  context: HttpRequestContext,
  { open, calls, buckets }: RoutePolicy,
): Promise<void> {
  const { apiKeys, env } = context.services
  const text = open ? undefined : givenKey(request)
  // An unknown key is ignored here.
  if (text !== undefined) context.apiKey = await apiKeys.find(text)
  const isLimited = env.RATE_LIMITS !== 'off'
  const bodyBytes = bytesOfBody(request)
  if (isLimited && calls.health === 0) {
    const call = { caller: callerOf(context), buckets, bodyBytes: Math.min(bodyBytes, maxBodyBytes) }
    await context.charge(call).start()
  }
  if (isLimited) await limitRate(context, calls)
  if (!open) await requireApiKey(request, context)
  if (bodyBytes > maxBodyBytes) throw new LanyardError('PAYLOAD_TOO_LARGE')
  // Requests that only read ignore the header.
  if (request.method === 'POST' && context.idempotencyKey !== undefined) {
    requireIdempotencyKey(context.idempotencyKey)
  }
}

/** The size of a request's body; if the request does not say it, the most that is read of it. */
function bytesOfBody({ method, headers }: IncomingMessage): number {
  if (method !== 'POST') return 0
  if (headers['transfer-encoding'] !== undefined) return maxBodyBytes
  return Number(headers['content-length'] ?? 0)
}
