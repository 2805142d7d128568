import { LanyardError } from '@lanyard/contracts'
import cors from 'cors'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import type { Services } from '../services.ts'
import { requireApiKey } from './api-keys.ts'
import { beginRequest } from './begin-request.ts'
import { currentRequest } from './current-request.ts'
import { documentation } from './documentation.ts'
import { checkIdempotencyKey } from './idempotency-key.ts'
import { limitRate } from './limit-rate.ts'
import { replyError, trpcPath } from './reply-error.ts'
import { mountRest } from './rest.ts'
import { securityHeaders } from './security-headers.ts'
import { trpcHandler } from './trpc.ts'
import { wallet } from './wallet.ts'

/** A browser may send these besides the simple headers, and read these of the answer. */
const corsHeaders = {
  allowedHeaders: ['content-type', 'authorization', 'x-api-key', 'x-request-id', 'idempotency-key'],
  exposedHeaders: ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'idempotency-replayed'],
  maxAge: 600,
}

const unknownRoute: RequestHandler = (request, response) =>
  replyError(request, response, new LanyardError('UNKNOWN_ROUTE'), currentRequest())

/** What Express or a middleware threw. Express knows an error handler by its four parameters. */
const unforeseen: ErrorRequestHandler = (error, request, response, _next) =>
  replyError(request, response, toLanyardError(error), currentRequest())

/** The whole HTTP surface, in the order in which a request meets it. */
export function createApp(services: Services): Express {
  const { env } = services
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', env.TRUST_PROXY)
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  app.set('query parser', false)

  app.use(beginRequest(services))
  app.use(securityHeaders())
  if (env.ORIGINS.length > 0) app.use(cors({ origin: [...env.ORIGINS], ...corsHeaders }))
  app.use(wallet(services)) // before anything that asks for credentials: its files are public
  // Before the credentials: guessing them is limited, too.
  app.use(limitRate(services))
  app.use(requireApiKey(env))
  app.use(checkIdempotencyKey())
  app.use(documentation())
  app.use(trpcPath, trpcHandler())
  mountRest(app)
  app.use(unknownRoute)
  app.use(unforeseen)
  return app
}
