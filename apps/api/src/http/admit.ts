import type { IncomingMessage } from 'node:http'
import { LanyardError, type RateBucket, rateBuckets } from '@lanyard/contracts'
import { type ApiKey, keyMissing } from '../domain/accounts/api-keys/api-key.ts'
import { callerOf, findReader } from '../domain/accounts/callers/caller.ts'
import { requireIdempotencyKey } from '../pipeline/idempotency/key-format.ts'
import type { Calls, Usage } from '../pipeline/rate-limits/rate-limits.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import { findEndpoint } from '../platform/endpoint-list.ts'
import type { HttpRequestContext } from './http-request-context.ts'
import { calledNames, maxBodyAt, tooLarge } from './limits.ts'
import { calledHost, isJwt, readBearer } from './read-request.ts'
import { isRpcPath } from './rpc-path.ts'

/** The policy of a request that follows from its path. */
interface RoutePolicy {
  /** No credentials are needed. */
  readonly open: boolean
  /** The number of counts in each bucket. */
  readonly calls: Calls
  /** The counter of each call. */
  readonly buckets: readonly RateBucket[]
  /** Bytes of the body. */
  readonly maxBody: number
}

export const routePolicyOf = (path: string): RoutePolicy => ({
  open: isOpen(path),
  calls: callsOf(path),
  buckets: bucketsOf(path),
  maxBody: maxBodyAt(path),
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
  { open, calls, buckets, maxBody }: RoutePolicy,
): Promise<void> {
  const { apiKeys, env } = context.services
  const text = open ? undefined : givenKey(request)
  // An unknown key is ignored here.
  if (text !== undefined) context.apiKey = await apiKeys.find(text)
  const isLimited = env.RATE_LIMITS !== 'off'
  const bodyBytes = bytesOfBody(request, maxBody)
  // Only what asks for nothing but the state is free, and not what asks for it among other things.
  if (isLimited && calls.calls > 0) {
    const call = { caller: callerOf(context), buckets, bodyBytes: Math.min(bodyBytes, maxBody) }
    const started = context.charge(call)
    await started.start(await personOf(context))
  }
  if (isLimited) await limitRate(context, calls)
  if (!open) await requireApiKey(request, context)
  if (bodyBytes > maxBody) throw tooLarge(maxBody)
  // Requests that only read ignore the header.
  if (request.method === 'POST' && context.idempotencyKey !== undefined) {
    requireIdempotencyKey(context.idempotencyKey)
  }
}

/** Whose token the request has. An invalid one counts as none: the endpoint decides whether it matters. */
const personOf = (context: RequestContext): Promise<string | undefined> =>
  findReader(context).catch(() => undefined)

/**
 * Charges the address for an answer that needs no credentials and is not counted: a file, a preflight, a path that is none.
 *
 * @throws RATE_LIMITED
 */
export function chargeAddress(context: HttpRequestContext): void {
  if (context.services.env.RATE_LIMITS === 'off') return
  context.charge({ caller: callerOf(context), buckets: ['calls'], bodyBytes: 0 })
}

/** The size of a request's body; if the request does not say it, the most that is read of it. */
function bytesOfBody({ method, headers }: IncomingMessage, maxBody: number): number {
  if (method !== 'POST') return 0
  if (headers['transfer-encoding'] !== undefined) return maxBody
  return Number(headers['content-length'] ?? 0)
}

/**
 * The text of a request's API key: `x-api-key`, or `Authorization`, bare or as Bearer, unless it is a JWT.
 */
function givenKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-api-key']
  if (typeof header === 'string') return header
  if (headers.authorization === undefined) return undefined
  const text = readBearer(headers.authorization)
  return isJwt(text) ? undefined : text
}

/**
 * Rejects every request without a valid API key, and requests with a publishable key from a page that may not
 * use it. If no keys are required, none is needed.
 *
 * @throws UNAUTHORIZED, FORBIDDEN
 */
async function requireApiKey(
  request: IncomingMessage,
  { apiKey, services: { apiKeys, env } }: RequestContext,
): Promise<void> {
  if (apiKey === undefined && (await apiKeys.needed())) throw keyMissing()
  if (apiKey?.kind === 'publishable' && !isOfOrigin(request, apiKey, env.TRUST_PROXY)) {
    throw new LanyardError('FORBIDDEN', {
      message: 'This publishable key is for other pages or apps.',
    })
  }
}

/**
 * Whether a request comes from a page that may use a publishable key. Browsers name the page's origin in
 * `Origin`. For a GET to the page's own origin they omit it (Fetch §3.2) and send `Sec-Fetch-Site:
 * same-origin`. Scripts can set neither header. An app names itself in `X-App-Id`, which pages of other origins cannot send
 * (it is no header that CORS allows). Other programs can send any header: a publishable key excludes other pages, not
 * programs.
 *
 * @param trusted - how many proxies are trusted (TRUST_PROXY)
 */
function isOfOrigin(request: IncomingMessage, { origins, ownPages }: ApiKey, trusted: number): boolean {
  const { origin, 'x-app-id': app } = request.headers
  if (origin === undefined && origins.includes(`app:${app}`)) return true
  if (origin !== undefined && origins.includes(origin)) return true
  if (request.headers['sec-fetch-site'] !== 'same-origin') return false
  // The request comes from a page that the service itself served, under any name that a proxy gives the
  // service.
  if (ownPages) return true
  return origin === undefined && origins.some((one) => new URL(one).host === calledHost(request, trusted))
}

/** Public paths besides endpoints: they describe how to use the service. */
const openPages = [/^\/$/, /^\/openapi\.json$/, /^\/docs(\/|$)/]

/** True for a path that needs no credentials. */
function isOpen(path: string): boolean {
  if (openPages.some((page) => page.test(path))) return true
  const names = calledNames(path)
  return names.length > 0 && names.every((name) => findEndpoint(name)?.access.anonymous === 'allowed')
}

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
async function limitRate(context: RequestContext, calls: Calls): Promise<void> {
  const usages = await context.project.limits(callerOf(context), calls)
  context.setHeader('RateLimit-Policy', policyField(usages))
  context.setHeader('RateLimit', limitField(usages))
  const rejecting = usages.filter(({ refused }) => refused)
  if (rejecting.length === 0) return
  const retryAfter = Math.max(...rejecting.map(({ reset }) => reset))
  throw new LanyardError('RATE_LIMITED', { details: { retryAfter } })
}

/** The counters of the calls of a request, one for each call, known from its path alone. */
function bucketsOf(path: string): readonly RateBucket[] {
  if (isRpcPath(path)) return ['builds'] // some methods simulate
  const names = calledNames(path)
  return names.length === 0 ? ['calls'] : names.map((name) => findEndpoint(name)?.bucket ?? 'calls')
}

/** The counts of a request, known from its path alone. */
export function callsOf(path: string): Calls {
  const called = calledNames(path).map((name) => findEndpoint(name)?.bucket ?? 'calls')
  const counts = Object.fromEntries(rateBuckets.map((bucket) => [bucket, 0])) as Record<RateBucket, number> // one for each bucket
  for (const bucket of called) counts[bucket]++
  return { ...counts, calls: called.length === 0 ? 1 : called.length - counts.health }
}
