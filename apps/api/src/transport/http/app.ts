import type { RequestListener } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Services } from '../../pipeline/services.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { runInRequest } from '../../platform/log/current-request.ts'
import type { Transport } from '../../platform/metrics/metrics.ts'
import { documentation } from '../openapi/documentation.ts'
import { restEndpoints } from '../rest/rest.ts'
import { rpcHandler, rpcPath } from '../rpc/rpc.ts'
import { refuseLongBatches } from '../trpc/refuse-long-batches.ts'
import { trpcHandler } from '../trpc/trpc.ts'
import { isTrpcPath, trpcPath } from '../trpc/trpc-path.ts'
import { admit, routePolicyOf } from './admit.ts'
import { allowOrigins } from './allow-origins.ts'
import { commonHeaders, setAll } from './common-headers.ts'
import { currentRequest } from './current-request.ts'
import { requestIdOf, requestsOf } from './http-request-context.ts'
import { metrics } from './metrics.ts'
import { originForm, pathOf } from './path-of.ts'
import { recoveryPage } from './recovery-page.ts'
import { relatedOriginsFile } from './related-origins.ts'
import { replyError } from './reply-error.ts'
import { wallet } from './wallet.ts'

/** The whole HTTP surface: endpoints at their own paths, and everything else. */
export function createApp(services: Services): RequestListener {
  const endpointAt = restEndpoints(services)
  const others = trpcAndPages(services)
  const refuse = refuseTarget(services)
  return (request, response) => {
    const target = originForm(request.url ?? '')
    if (target === undefined) return refuse(request, response)
    request.url = target
    const listener = endpointAt(pathOf(target)) ?? others
    listener(request, response)
  }
}

/** Answers what has no path. Express would not even run what it does for every request. */
function refuseTarget(services: Services): RequestListener {
  const begin = requestsOf(services)
  return (request, response) => {
    const requestId = requestIdOf(request)
    const headers = commonHeaders(requestId)
    const setHeader = (name: string, value: string) => void headers.push(name, value)
    // Not the target, whose query may name a user.
    const context = begin(requestId, request, response, { path: '', transport: 'page', headers, setHeader })
    replyError(response, new LanyardError('UNKNOWN_ROUTE'), context)
  }
}

/** What is not called at a path of its own, in the order in which a request meets it. */
function trpcAndPages(services: Services): Express {
  const { env } = services
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', env.TRUST_PROXY)
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  app.set('query parser', false)

  app.use(beginRequest(services))
  app.use(refuseLongBatches)
  app.use(allowPages(services))
  app.use(unlessCalled(recoveryPage()))
  app.use(unlessCalled(relatedOriginsFile(services)))
  app.use(unlessCalled(wallet(services))) // before anything that asks for credentials: its files are public
  app.use(admitCaller)
  app.use(unlessCalled(metrics(services)))
  app.use(unlessCalled(documentation()))
  app.use(rpcPath, rpcHandler)
  app.use(trpcPath, trpcHandler())
  app.use(unknownRoute)
  app.use(failedPrecondition)
  app.use(unexpectedError)
  return app
}

function transportOf(path: string): Transport {
  if (isTrpcPath(path)) return 'trpc'
  return path.startsWith(`${rpcPath}/`) ? 'rpc' : 'page'
}

function beginRequest(services: Services): RequestHandler {
  const begin = requestsOf(services)
  return (request, response, next) => {
    const { path } = request
    const requestId = requestIdOf(request)
    setAll(response, commonHeaders(requestId))
    const setHeader = (name: string, value: string) => {
      if (!response.headersSent) response.setHeader(name, value) // without effect once an answer streams
    }
    const beginning = { path, transport: transportOf(path), headers: [], setHeader }
    runInRequest(begin(requestId, request, response, beginning), next)
  }
}

function allowPages(services: Services): RequestHandler {
  const allow = allowOrigins(services)
  return (request, response, next) =>
    request.headers.origin === undefined ? next() : allow(request, response, next)
}

/** Pages have no part in a call: looking through their routes would cost it more than its own. */
const unlessCalled =
  (pages: RequestHandler): RequestHandler =>
  (request, response, next) =>
    isTrpcPath(request.path) ? next() : pages(request, response, next)

const admitCaller: RequestHandler = async (request, _response, next) => {
  await admit(request, currentRequest(), routePolicyOf(request.path))
  next()
}

const unknownRoute: RequestHandler = (_request, response) =>
  replyError(response, new LanyardError('UNKNOWN_ROUTE'), currentRequest())

/** A file whose precondition fails (RFC 9110 §13.1). What was already said of the file does not hold for the refusal. */
const failedPrecondition: ErrorRequestHandler = (error, _request, response, next) => {
  if (Reflect.get(Object(error), 'statusCode') !== 412) return next(error)
  for (const name of ['ETag', 'Last-Modified']) response.removeHeader(name)
  response.setHeader('Cache-Control', 'no-store')
  next(new LanyardError('INVALID_INPUT', { issues: [{ path: '', message: 'The precondition failed' }] }))
}

/** What Express or a middleware threw. Express knows an error handler by its four parameters. */
const unexpectedError: ErrorRequestHandler = (error, _request, response, _next) =>
  replyError(response, toLanyardError(error), currentRequest())
