import type { IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import type { Services } from '../../pipeline/services.ts'

/** A browser may send these besides the simple headers, and read these of the answer. */
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
 * Lets the pages of ORIGINS, and those that publishable keys are for, read answers (Fetch §3.2, CORS). Who is no page is
 * neither allowed nor refused anything, so requests without an origin need not come here; every answer varies by it.
 * A preflight is answered here.
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
    // A preflight carries no key, so the origins of all keys count; the request itself is held to those of its key.
    origin: (origin, done) => {
      if (origin === undefined || ORIGINS.includes(origin)) return done(null, origin !== undefined)
      apiKeys.isOrigin(origin).then((known) => done(null, known), done)
    },
  })
}

/** Lets the pages of any origin read answers that are the same for everyone. */
export const allowAnyOrigin = cors({ ...headers, origin: '*' })
