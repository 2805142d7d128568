import { LanyardError } from '@lanyard/contracts'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import type { Services } from '../services.ts'
import { allowOrigins } from './allow-origins.ts'
import { beginRequest } from './begin-request.ts'
import { calledNames } from './called-names.ts'
import { currentRequest } from './current-request.ts'
import { documentation } from './documentation.ts'
import { checkIdempotencyKey } from './idempotency-key.ts'
import { identifyCaller } from './identify-caller.ts'
import { leave } from './leave.ts'
import { limitRate } from './limit-rate.ts'
import { metrics } from './metrics.ts'
import { refuseLongBatches } from './refuse-long-batches.ts'
import { replyError, trpcPath } from './reply-error.ts'
import { requireApiKey } from './require-api-key.ts'
import { restEndpoints } from './rest.ts'
import { securityHeaders } from './security-headers.ts'
import { trpcHandler } from './trpc.ts'
import { wallet } from './wallet.ts'

const unknownRoute: RequestHandler = (request, response) =>
  replyError(request, response, new LanyardError('UNKNOWN_ROUTE'), currentRequest())

/** What Express or a middleware threw. Express knows an error handler by its four parameters. */
const unforeseen: ErrorRequestHandler = (error, request, response, _next) =>
  replyError(request, response, toLanyardError(error), currentRequest())

/** Pages have no part in a call: looking through their routes would cost it more than its own. */
const unlessCalled =
  (pages: RequestHandler): RequestHandler =>
  (request, response, next) =>
    calledNames(request.path).length > 0 ? next() : pages(request, response, next)

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
  app.use(refuseLongBatches())
  app.use(securityHeaders())
  app.use(allowOrigins(services))
  app.use(unlessCalled(leave()))
  app.use(unlessCalled(wallet(services))) // before anything that asks for credentials: its files are public
  app.use(identifyCaller(services))
  // Before the credentials: guessing them is limited, too.
  app.use(limitRate(services))
  app.use(requireApiKey(services))
  app.use(unlessCalled(metrics(services)))
  app.use(checkIdempotencyKey())
  app.use(unlessCalled(documentation()))
  app.use(trpcPath, trpcHandler())
  app.use(restEndpoints())
  app.use(unknownRoute)
  app.use(unforeseen)
  return app
}
