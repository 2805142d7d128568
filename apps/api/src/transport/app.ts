import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express'
import { admit, chargeAddress, routePolicyOf } from '../http/admit.ts'
import { allowAnyOrigin, allowOrigins, commonHeaders, setAll } from '../http/headers.ts'
import { currentRequest, requestIdOf, requestsOf } from '../http/http-request-context.ts'
import { failedPrecondition, isPageRequest, sendUnknownPage } from '../http/pages.ts'
import { probes } from '../http/probes.ts'
import { originForm, readJsonText } from '../http/read-request.ts'
import { replyError } from '../http/reply-error.ts'
import { isRpcPath, rpcPath } from '../http/rpc-path.ts'
import { isTrpcPath, trpcPath } from '../http/trpc-path.ts'
import type { Services } from '../pipeline/services.ts'
import { findEndpointAt } from '../platform/endpoint-list.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import { runInRequest } from '../platform/log/current-request.ts'
import type { Transport } from '../platform/metrics/metrics.ts'
import { documentation } from './openapi/documentation.ts'
import { docsSite, unbuiltDocsSite, unknownDocsPage } from './pages/docs-site.ts'
import { passkeyDomainFiles } from './pages/passkey-domain.ts'
import { recoveryPage } from './pages/recovery-page.ts'
import { wallet } from './pages/wallet.ts'
import { createRoutes } from './rest/rest.ts'
import { rpcHandler } from './rpc/rpc.ts'
import { eventStreams, eventsPath } from './sse/event-streams.ts'
import { rejectLongBatches, trpcHandler } from './trpc/trpc.ts'

/**
 * The whole HTTP application. One look-up of the path finds an endpoint, so its requests do not pay for
 * Express, which prepares each request and compares it with every layer. Everything else passes through it.
 */
export function createApp(services: Services): RequestListener {
  const serveEndpoint = endpointServer(services)
  const serveOther = otherServer(services)
  return (request, response) => {
    const target = originForm(request.url ?? '')
    request.url = target ?? '/'
    if (target === undefined || !serveEndpoint(request, response)) serveOther(request, response, target)
  }
}

/** @returns a function that says whether the request is for an endpoint, and then answers it */
function endpointServer(services: Services) {
  const routes = createRoutes()
  const begin = requestStarter(services)
  const allow = pageAllower(services)
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = pathOf(request)
    const route = routes.get(path)
    if (!route) return false
    begin(request, response, path, () => {
      const fail = (error: unknown) => replyError(response, toLanyardError(error), currentRequest())
      const serve = () => void route(request, response).catch(fail)
      if (request.headers.origin === undefined) return serve()
      chargePreflight(request)
      allow(request, response, path, (error) => (error ? fail(error) : serve()))
    })
    return true
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** What is no endpoint, in the order in which a request passes through it. */
function otherServer(services: Services) {
  const app = beginApp(services)
  app.use(probes(services))
  app.use(rejectLongBatches)
  app.use(allowPages(services))
  app.use(trpcPath, admitCaller, readJsonText, trpcHandler())
  app.use(rpcPath, admitCaller, rpcHandler)
  app.all(eventsPath, admitCaller, eventStreams)
  app.use(chargePage)
  app.use(recoveryPage())
  app.use(passkeyDomainFiles(services))
  app.use(wallet(services)) // before the handlers that require credentials: its files are public
  app.use(docsSite())
  app.use(admitCaller)
  app.use(metrics(services))
  app.use(documentation())
  app.use(unbuiltDocsSite())
  app.use(unknownDocsPage())
  app.use(unknownRoute)
  app.use(failedPrecondition)
  app.use(unexpectedError)
  // Express runs no handler for a target without a path, such as `*`.
  const withoutPath = beginApp(services).use(chargePage, unknownRoute, unexpectedError)
  return (request: IncomingMessage, response: ServerResponse, target: string | undefined) => {
    const serve = target === undefined ? withoutPath : app
    serve(request, response)
  }
}

/** An application that prepares each request: its context, and the headers of every answer. */
function beginApp(services: Services): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', services.env.TRUST_PROXY)
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  app.set('query parser', false)
  return app.use(beginRequest(services))
}

function transportOf(path: string): Transport {
  if (findEndpointAt(path)) return 'rest'
  if (isTrpcPath(path)) return 'trpc'
  return isRpcPath(path) ? 'rpc' : 'page'
}

function beginRequest(services: Services): RequestHandler {
  const begin = requestStarter(services)
  return (request, response, next) => begin(request, response, request.path, next)
}

function requestStarter(services: Services) {
  const begin = requestsOf(services)
  return (request: IncomingMessage, response: ServerResponse, path: string, next: () => void): void => {
    const requestId = requestIdOf(request)
    setAll(response, commonHeaders(requestId))
    const setHeader = (name: string, value: string) => {
      if (!response.headersSent) response.setHeader(name, value) // no effect while streaming
    }
    const start = { path, transport: transportOf(path), setHeader }
    runInRequest(begin(requestId, request, response, start), next)
  }
}

function allowPages(services: Services): RequestHandler {
  const allow = allowOrigins(services)
  return (request, response, next) => {
    if (request.headers.origin === undefined) return next()
    chargePreflight(request)
    allow(request, response, next)
  }
}

/** A page could not read that its preflight is refused, but it can read that the request is. */
function chargePreflight({ method }: IncomingMessage): void {
  if (method !== 'OPTIONS') return
  try {
    chargeAddress(currentRequest())
  } catch (error) {
    if (toLanyardError(error).code !== 'RATE_LIMITED') throw error
  }
}

/** Lets pages read the answers of endpoints, some of which any page may read. */
function pageAllower(services: Services) {
  const allowKnownOrigin = allowOrigins(services)
  return (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    next: (error?: unknown) => void,
  ): void => {
    const isPublic = findEndpointAt(path)?.declaration.origins === 'any'
    const allow = isPublic ? allowAnyOrigin : allowKnownOrigin
    allow(request, response, next)
  }
}

const admitCaller: RequestHandler = async (request, _response, next) => {
  await admit(request, currentRequest(), routePolicyOf(request.baseUrl + request.path))
  next()
}

const chargePage: RequestHandler = (_request, _response, next) => {
  chargeAddress(currentRequest())
  next()
}

const unknownRoute: RequestHandler = (request, response) => {
  // A target that is no address has the path of the root, too.
  if (request.path !== '/' && isPageRequest(request)) return sendUnknownPage(response)
  replyError(response, new LanyardError('UNKNOWN_ROUTE'), currentRequest())
}

/** An error of Express or a middleware. Express recognises an error handler by its four parameters. */
const unexpectedError: ErrorRequestHandler = (error, _request, response, _next) =>
  replyError(response, toLanyardError(error), currentRequest())

/**
 * `/metrics`, for a server with a secret API key of scope `full` or `metrics`, or for anyone if no keys are required outside production.
 * The client address cannot be used: behind a proxy on the same machine, every request comes from loopback.
 */
function metrics({ env, apiKeys, metrics }: Pick<Services, 'env' | 'apiKeys' | 'metrics'>): Router {
  const router = Router({ strict: true, caseSensitive: true })
  router.get('/metrics', async (_request, response) => {
    const context = currentRequest()
    const isOpen = env.NODE_ENV !== 'production' && !(await apiKeys.needed())
    const { apiKey } = context
    const isForMetrics = apiKey?.kind === 'secret' && ['full', 'metrics'].includes(apiKey.scope ?? 'full')
    if (!isForMetrics && !(isOpen && apiKey === undefined)) {
      const error = new LanyardError(apiKey ? 'FORBIDDEN' : 'UNAUTHORIZED')
      return replyError(response, error, context)
    }
    response.type(metrics.contentType).send(await metrics.text())
  })
  return router
}
