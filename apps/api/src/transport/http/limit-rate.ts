import { LanyardError } from '@lanyard/contracts'
import { callerOf } from '../../domain/accounts/callers/caller.ts'
import type { Calls, Usage } from '../../pipeline/rate-limits/rate-limits.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

/**
 * draft-ietf-httpapi-ratelimit-headers-10: lists of named policies, q per w seconds, with r left for t
 * seconds.
 */
const policyField = (usages: readonly Usage[]) =>
  usages.map(({ bucket, limit, windowSeconds }) => `"${bucket}";q=${limit};w=${windowSeconds}`).join(', ')
const limitField = (usages: readonly Usage[]) =>
  usages.map(({ bucket, remaining, reset }) => `"${bucket}";r=${remaining};t=${reset}`).join(', ')

/**
 * Rejects callers who exceed their rate.
 *
 * @throws RATE_LIMITED
 */
export async function limitRate(context: RequestContext, calls: Calls): Promise<void> {
  const usages = await context.services.rateLimits(callerOf(context), calls)
  context.setHeader('RateLimit-Policy', policyField(usages))
  context.setHeader('RateLimit', limitField(usages))
  const refusing = usages.filter(({ refused }) => refused)
  if (refusing.length === 0) return
  const retryAfter = Math.max(...refusing.map(({ reset }) => reset))
  throw new LanyardError('RATE_LIMITED', { details: { retryAfter } })
}
