import type { IncomingMessage } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import { callerName } from '../api-keys/api-key.ts'
import { addressKey } from '../rate-limits/address-key.ts'
import type { Calls } from '../rate-limits/buckets.ts'
import type { Caller, Usage } from '../rate-limits/rate-limits.ts'
import type { RequestContext } from '../request-context.ts'
import { callerAddress } from './forwarded.ts'

/**
 * A server's API key, else the address that TRUST_PROXY lets count. A publishable key is everybody's: counted
 * together, one visitor could shut out all others.
 */
function callerOf(request: IncomingMessage, { apiKey, services }: RequestContext): Caller {
  return apiKey?.kind === 'secret'
    ? { kind: 'key', name: callerName(apiKey) }
    : { kind: 'address', name: addressOf(request, services.env.TRUST_PROXY) }
}

const addressOf = (request: IncomingMessage, trusted: number) =>
  addressKey(callerAddress(request, trusted), request.socket.remoteAddress)

/** draft-ietf-httpapi-ratelimit-headers-10: lists of named policies, q per w seconds, of which r are left for t. */
const policyField = (usages: readonly Usage[]) =>
  usages.map(({ bucket, limit, windowSeconds }) => `"${bucket}";q=${limit};w=${windowSeconds}`).join(', ')
const limitField = (usages: readonly Usage[]) =>
  usages.map(({ bucket, remaining, reset }) => `"${bucket}";r=${remaining};t=${reset}`).join(', ')

/**
 * Refuses callers who ask too often.
 *
 * @throws RATE_LIMITED
 */
export async function limitRate(
  request: IncomingMessage,
  context: RequestContext,
  calls: Calls,
): Promise<void> {
  const usages = await context.services.rateLimits(callerOf(request, context), calls)
  context.setHeader('RateLimit-Policy', policyField(usages))
  context.setHeader('RateLimit', limitField(usages))
  const refusing = usages.filter(({ refused }) => refused)
  if (refusing.length === 0) return
  const retryAfter = Math.max(...refusing.map(({ reset }) => reset))
  throw new LanyardError('RATE_LIMITED', { details: { retryAfter } })
}
