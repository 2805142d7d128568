import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import type { Services } from '../../pipeline/services.ts'

/** Headers that a browser may send besides the simple ones, and headers that it may read from the answer. */
const headers = {
  allowedHeaders: [
    'content-type',
    'authorization',
    'x-api-key',
    'x-request-id',
    'idempotency-key',
    'traceparent',
  ],
  exposedHeaders: ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotency-replayed'],
  maxAge: 600,
}

/**
 * Allows the pages of ORIGINS, and those of publishable keys, to read answers (Fetch §3.2, CORS). The check
 * does not apply to requests without an origin, so they need not pass through it; every answer varies by the
 * origin. A preflight is answered here.
 */
export function allowOrigins({
  env: { ORIGINS },
  apiKeys,
}: Pick<Services, 'env' | 'apiKeys'>): (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void {
  return cors({
    ...headers,
    // A preflight carries no key, so the origins of all keys are allowed; the request itself is restricted to
    // those of its key.
    origin: (origin, done) => {
      if (origin === undefined || ORIGINS.includes(origin)) return done(null, origin !== undefined)
      apiKeys.isOrigin(origin).then((known) => done(null, known), done)
    },
  })
}

/** Allows pages of any origin to read answers that are the same for everyone. */
export const allowAnyOrigin = cors({ ...headers, origin: '*' })
