import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { LanyardError } from '@lanyard/contracts'
import { type AnyProcedure, callTRPCProcedure } from '@trpc/server'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express'
import type { z } from 'zod'
import { addressKey } from '../domain/accounts/callers/caller.ts'
import { findProvedSession, streamDuration } from '../domain/operators/provider-sessions.ts'
import { walletHeaders } from '../http/headers.ts'
import { requestIdOf } from '../http/http-request-context.ts'
import { maxBodyBytes } from '../http/limits.ts'
import { builtAssets, failedPrecondition } from '../http/pages.ts'
import { calledHost, callerAddress } from '../http/read-request.ts'
import { replyError } from '../http/reply-error.ts'
import { toErrorAnswer } from '../pipeline/errors/error-answer.ts'
import { logError } from '../pipeline/errors/log-error.ts'
import type { Counter } from '../pipeline/rate-limits/counter.ts'
import { toLanyardError } from '../platform/errors/to-lanyard-error.ts'
import { auditExportPath, createAuditExport } from './audit-export.ts'
import { changesPath, type createChangeStream } from './change-stream.ts'
import type { ConsoleContext, ConsoleServices } from './console-context.ts'
import { consoleRouter } from './console-router.ts'
import { toConsoleError } from './console-trpc.ts'
import { readSessionCookie, writeSessionCookie } from './session-cookie.ts'
import { createSignInRoutes } from './sign-in-routes.ts'

const built = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

export interface ConsoleApp extends Omit<ConsoleServices, 'acts'> {
  /** `https://console.example`: the only address under which the console answers. */
  readonly origin: string
  readonly streamChanges: ReturnType<typeof createChangeStream>
  /** Calls of one address: 600 a minute. */
  readonly countCall: Counter
  /** The folder of the built pages, ending with a slash. Default: `apps/console/dist`. */
  readonly pages?: string
}

/** The HTTP application of the console, in the order in which a request passes through it. */
export function createConsoleApp(options: ConsoleApp): RequestListener {
  const { services, origin, pages = built } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use(walletHeaders('same-origin'))
  app.use((request, response, next) => {
    const requestId = requestIdOf(request)
    response.locals.requestId = requestId
    response.setHeader('X-Request-Id', requestId)
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('X-Robots-Tag', 'noindex, nofollow')
    next()
  })
  app.get('/health', async (_request, response) => {
    await services.pingDatabase()
    response.json({ status: 'ok' })
  })
  app.use(requireOwnHost(options))
  app.get(auditExportPath, countCalls(options), requireOwnPage(origin), auditExport(options))
  app.get(changesPath, countCalls(options), requireOwnPage(origin), changes(options))
  if (options.provider) {
    const { provider } = options
    const addressOfRequest = (request: Request) => addressOf(request, services.env.TRUST_PROXY)
    app.use(createSignInRoutes({ ...options, provider, addressOf: addressOfRequest }))
  }
  app.use('/trpc', countCalls(options), requireOwnPage(origin), trpcHandler(options))
  if (existsSync(`${pages}index.html`)) {
    app.use(builtAssets(pages))
    for (const file of ['icon.svg', 'theme.js']) {
      app.get(`/${file}`, (_request, response) =>
        response.sendFile(file, { root: pages, cacheControl: false }),
      )
    }
    const sendPage = (response: express.Response) =>
      response.sendFile('index.html', { root: pages, cacheControl: false })
    app.get('/denied/{*page}', (_request, response) => sendPage(response.status(403)))
    app.get('/{*page}', (_request, response) => sendPage(response))
  } else {
    app.get('/{*page}', (_request, response) =>
      response
        .status(503)
        .type('text')
        .send('The console is not built. Build it: node apps/console/scripts/build-if-stale.ts\n'),
    )
  }
  app.use(() => {
    throw new LanyardError('UNKNOWN_ROUTE')
  })
  app.use(failedPrecondition)
  app.use(failed(options))
  return app
}

/**
 * Another name of this address would be another origin: a page that rebinds its own name to it could call the console.
 * A person who opens it by its number is sent to the name.
 */
function requireOwnHost({ origin, services: { env } }: ConsoleApp): RequestHandler {
  const own = new URL(origin).host
  return (request, response, next) => {
    if (calledHost(request, env.TRUST_PROXY) === own) return next()
    const isPage = !request.path.startsWith('/trpc')
    if (isPage && request.method === 'GET' && request.accepts(['json', 'html']) === 'html') {
      return response.redirect(302, `${origin}${request.path}`)
    }
    throw new LanyardError('FORBIDDEN', { message: `The console answers only at ${origin}.` })
  }
}

/**
 * Refuses requests of other pages. SameSite does not: a page on another port of this host, or on a sibling domain, is the
 * same site.
 */
function requireOwnPage(origin: string): RequestHandler {
  return (request, _response, next) => {
    const isOwn =
      request.method === 'GET'
        ? [undefined, 'same-origin', 'none'].includes(textOf(request.headers['sec-fetch-site']))
        : request.headers.origin === origin
    if (isOwn) return next()
    throw new LanyardError('FORBIDDEN', { message: `Only pages of ${origin} may call the console.` })
  }
}

function countCalls({ countCall, services: { env } }: ConsoleApp): RequestHandler {
  return async (request, _response, next) => {
    if (env.RATE_LIMITS === 'off') return next()
    const { refused, reset } = await countCall(addressOf(request, env.TRUST_PROXY), 1)
    if (!refused) return next()
    throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
  }
}

/** The operator of a session that counts now. */
const operatorOf = ({ services, provider }: ConsoleApp, cookie: string | undefined) =>
  cookie === undefined
    ? undefined
    : findProvedSession(
        {
          ...{ database: services.database, provider, now: services.now },
          mapping: services.env.CONSOLE_OIDC_ROLES ?? [],
          passkeys: services.env.CONSOLE_PASSKEYS,
        },
        cookie,
      )

/** For whoever is signed in, and until the stream ends, which is soon. */
function changes(options: ConsoleApp): RequestHandler {
  const { streamChanges, origin } = options
  const isSecure = origin.startsWith('https:')
  return async (request, response) => {
    const operator = await operatorOf(options, readSessionCookie(request, isSecure))
    if (!operator)
      throw new LanyardError('UNAUTHORIZED', { message: 'Your session has ended. Sign in again.' })
    await streamChanges(response, streamDuration(operator, options.services.now()))
  }
}

/** For an operator whose role reads the audit log, as long as the session counts. */
function auditExport(options: ConsoleApp): RequestHandler {
  const send = createAuditExport(options.services)
  const isSecure = options.origin.startsWith('https:')
  return (request, response) => {
    const cookie = readSessionCookie(request, isSecure)
    return send(request, response, async () => operatorOf(options, cookie))
  }
}

/** The header with the assertion of a passkey: base64url of its JSON. */
const confirmationHeader = 'lanyard-confirmation'

function readConfirmation({ headers }: Request): unknown {
  const text = headers[confirmationHeader]
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Acts by their names, for those that were requested before. */
const acts: ConsoleContext['acts'] = {
  async check(act, input) {
    const { inputs } =
      (consoleRouter._def.procedures as unknown as Record<string, AnyProcedure>)[act]?._def ?? {}
    // Only what has passed here is stored.
    for (const parser of (inputs ?? []) as z.ZodType[]) {
      const parsed = await parser.safeParseAsync(input)
      if (!parsed.success) throw toConsoleError(new Error(act, { cause: parsed.error }))
    }
  },
  async run(ctx, path, input) {
    const getRawInput = async () => input
    await callTRPCProcedure({
      ...{ router: consoleRouter, ctx, path, getRawInput, type: 'mutation' },
      ...{ signal: undefined, batchIndex: 0 },
    })
  },
}

function trpcHandler(options: ConsoleApp): RequestHandler {
  const { services, relyingParty, countCeremony, overview, origin, provider } = options
  const isSecure = origin.startsWith('https:')
  return createExpressMiddleware({
    router: consoleRouter,
    allowBatching: false,
    maxBodySize: maxBodyBytes,
    async createContext({ req, res }): Promise<ConsoleContext> {
      const cookie = readSessionCookie(req, isSecure)
      return {
        ...{ services, relyingParty, countCeremony, overview, provider, acts, cookie },
        requestId: requestOf(res),
        database: services.database,
        address: addressOf(req, services.env.TRUST_PROXY),
        userAgent: req.headers['user-agent'] ?? '',
        operator: await operatorOf(options, cookie),
        confirmation: readConfirmation(req),
        setSession: (next) => writeSessionCookie(res, isSecure, next),
      }
    },
    // Without a context if the request is refused before there is one.
    onError({ error, req: { res } }) {
      const lanyardError = toConsoleError(error)
      const requestId = res ? requestOf(res) : ''
      const { status } = toErrorAnswer(lanyardError, requestId)
      logError(services.log.child({ requestId }), lanyardError, status)
    },
  })
}

const addressOf = (request: Request, trusted: number) =>
  addressKey(callerAddress(request, trusted), request.socket.remoteAddress)

/** Node joins repeated headers, except one that requests do not have. */
const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

/** The id under which a request is answered and logged. */
const requestOf = ({ locals }: express.Response): string => String(locals.requestId)

/** Express recognises an error handler by its four parameters. */
const failed =
  ({ services }: ConsoleApp): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const requestId = requestOf(response)
    const log = services.log.child({ requestId })
    const setHeader = (name: string, value: string) => void response.setHeader(name, value)
    replyError(response, toLanyardError(error), { requestId, log, transport: 'trpc', setHeader })
  }
