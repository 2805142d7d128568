import { type IncomingMessage, ServerResponse } from 'node:http'
import cors from 'cors'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Services } from '../pipeline/services.ts'

/** What matters only to pages, or to browsers that nobody uses any more. Pages have headers of their own. */
const ofPages = {
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const

/**
 * Headers for answers that no browser renders: names and values alternate. Helmet computes its headers for
 * every answer; without a policy that is a function, they are always the same.
 */
function securityHeaders(): readonly string[] {
  const sample = new ServerResponse({ method: 'GET' } as IncomingMessage) // only the method of a request is read
  const policy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] }
  helmet({ ...ofPages, contentSecurityPolicy: { useDefaults: false, directives: policy } })(
    sample.req,
    sample,
    () => {},
  )
  return Object.entries(sample.getHeaders()).flatMap(([name, value]) => [name, String(value)])
}

/** The reference page runs one script of the service and shows data that it fetches from the service. */
export const documentationHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component styles its elements with style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
  })

/**
 * The documentation: its own scripts, and the inline scripts of its pages by hash.
 *
 * @param scripts `'sha256-…'`
 */
export const siteHeaders = (scripts: readonly string[]): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scripts],
        // Highlighted code has its colours in style attributes, and diagrams have their own styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
  })

/**
 * The wallet: its own scripts, styles and fonts, requests to the service, and nothing from other origins.
 *
 * @param opener - whether the page and an opener of another origin keep a handle to each other
 */
export const walletHeaders = (opener: 'same-origin' | 'unsafe-none'): RequestHandler =>
  helmet({
    crossOriginOpenerPolicy: { policy: opener },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'"],
        manifestSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
  })

const alike = [
  ...securityHeaders(),
  // Every answer reflects the current state, and many are private.
  ...['Cache-Control', 'no-store'],
  ...['Vary', 'Origin'],
]

/** The headers of every answer: names and values alternate. */
export const commonHeaders = (requestId: string): string[] => [...alike, 'X-Request-Id', requestId]

/** Sets headers, given as alternating names and values, when other code writes the head. */
export function setAll(response: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) {
    response.setHeader(headers[index] ?? '', headers[index + 1] ?? '')
  }
}

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

/** Answers with JSON. Express' own `json` looks up the type and its charset for every answer, in several steps. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text) // Node omits it in answers to HEAD
}
