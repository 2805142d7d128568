import { LanyardError } from '@lanyard/contracts'
import type { Request, RequestHandler } from 'express'
import { callerName } from '../api-keys/api-key.ts'
import { addressKey } from '../rate-limits/address-key.ts'
import { callsOf } from '../rate-limits/buckets.ts'
import type { Caller, Usage } from '../rate-limits/rate-limits.ts'
import type { Services } from '../services.ts'
import { currentRequest } from './current-request.ts'
import { replyError } from './reply-error.ts'

/**
 * A server's API key, else the address that TRUST_PROXY lets count. A publishable key is everybody's: counted
 * together, one visitor could shut out all others.
 */
function callerOf({ ip }: Request): Caller {
  const { apiKey } = currentRequest()
  return apiKey?.kind === 'secret'
    ? { kind: 'key', name: callerName(apiKey) }
    : { kind: 'address', name: addressKey(ip) }
}

/** draft-ietf-httpapi-ratelimit-headers-10: lists of named policies, q per w seconds, of which r are left for t. */
const policyField = (usages: readonly Usage[]) =>
  usages.map(({ bucket, limit, windowSeconds }) => `"${bucket}";q=${limit};w=${windowSeconds}`).join(', ')
const limitField = (usages: readonly Usage[]) =>
  usages.map(({ bucket, remaining, reset }) => `"${bucket}";r=${remaining};t=${reset}`).join(', ')

/** Refuses callers who ask too often, before anything is read. Every call of a tRPC batch counts. */
export function limitRate({ env, rateLimits }: Pick<Services, 'env' | 'rateLimits'>): RequestHandler {
  if (env.RATE_LIMITS === 'off') return (_request, _response, next) => next()
  return async (request, response, next) => {
    const calls = callsOf(request.path)
    if (!calls) return next()
    const usages = await rateLimits(callerOf(request), calls)
    response.setHeader('RateLimit-Policy', policyField(usages))
    response.setHeader('RateLimit', limitField(usages))
    const refusing = usages.filter(({ refused }) => refused)
    if (refusing.length === 0) return next()
    const retryAfter = Math.max(...refusing.map(({ reset }) => reset))
    response.setHeader('Retry-After', String(retryAfter))
    const error = new LanyardError('RATE_LIMITED', { details: { retryAfter } })
    replyError(request, response, error, currentRequest())
  }
}
