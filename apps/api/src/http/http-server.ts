import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { clearTimeout, setInterval, setTimeout } from 'node:timers'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { toErrorAnswer } from '../pipeline/errors/error-answer.ts'
import { type ServerTimeouts, serverTimeouts } from './limits.ts'
import { plainPage } from './plain-page.ts'
import { answerAlive, livenessPath, readinessPath } from './probes.ts'

export interface HttpServer {
  readonly server: Server
  /** Requests before this call wait for it, or are told to try again later. */
  serve(listener: RequestListener): void
  /**
   * From now on, each connection closes after its next answer, so that no client sends a request over a
   * connection that is about to be closed.
   */
  drain(): void
  /** Accepts no new connections; resolves when the last request is answered, or cut off after the bound. */
  close(bound: number): Promise<void>
}

/** Milliseconds between checks for idle connections while the server closes. */
const idleCheck = 25

/**
 * The socket is opened first, so that a port conflict is reported immediately and the service's own origin is
 * known. The request handler is added when everything else has started.
 */
export function createHttpServer(
  timeouts: ServerTimeouts = serverTimeouts,
  early = holdUntilReady(),
): HttpServer {
  let listener = early.listener
  let draining = false
  // By connection, because of garbage collection: V8 rebuilds a set that each request adds to and deletes
  // from, and the old copies hold whole requests until the next full garbage collection.
  const underWay = new Map<Socket, ServerResponse | undefined>()
  // The parser may reject the rest of a request that is already answered.
  const rejected = new WeakSet<Duplex>()
  // Node's own rejections have no body (missing host, unsupported expectation), so they are handled here.
  const server = createServer({ ...timeouts, requireHostHeader: false }, (request, response) => {
    const rejection = rejectionOf(request)
    const { socket } = request
    if (rejection) {
      rejected.add(socket)
      return rejection(response)
    }
    underWay.set(socket, response)
    response.on('close', () => {
      if (underWay.get(socket) === response) underWay.set(socket, undefined)
    })
    if (draining) endConnection(response)
    listener(request, response)
  })
  server.on('connection', (socket) => {
    socket.once('close', () => underWay.delete(socket))
  })
  server.on('clientError', (error, socket) => {
    if (!rejected.has(socket)) answerRejected(error, socket)
  })
  server.on('checkExpectation', (_request, response) =>
    answerMalformed(response, 'Expect: only 100-continue is supported'),
  )

  const drain = () => {
    draining = true
    for (const response of underWay.values()) if (response) endConnection(response)
  }
  return {
    server,
    serve(next) {
      listener = next
      early.release(next)
    },
    drain,
    async close(bound) {
      if (!server.listening) return
      drain()
      // Without handlers a turn is short, so hardly a connection arrives after the last one.
      const serving = listener
      const accepted = holdUntilReady()
      listener = accepted.listener
      await acceptPending(server)
      const idle = setInterval(() => server.closeIdleConnections(), idleCheck)
      const cutOff = setTimeout(() => server.closeAllConnections(), bound)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        accepted.release(serving)
      })
      clearInterval(idle)
      clearTimeout(cutOff)
    },
  }
}

/** Milliseconds that {@link acceptPending} takes at most. */
const acceptTimeout = 2_000

/**
 * Closing resets connections that wait to be accepted, and a balancer may not repeat what it has sent over them. A turn of
 * the event loop accepts one of them, so this returns after a turn that accepted none.
 */
async function acceptPending(server: Server): Promise<void> {
  const end = performance.now() + acceptTimeout
  let accepted = true
  const note = () => {
    accepted = true
  }
  server.on('connection', note)
  await nextTurn() // ends the current turn, which may have looked at the sockets already
  while (accepted && performance.now() < end) {
    accepted = false
    await nextTurn()
  }
  server.off('connection', note)
}

/**
 * How a head is rejected that Node accepts although HTTP does not. RFC 9112 requires one Host header in
 * HTTP/1.1 (§3.2). A transfer coding besides `chunked` gets 501 (§6.1), also where §6.3 would answer 400, so that
 * one thing has one answer: a proxy in front may read another body than Node does.
 */
function rejectionOf({ httpVersion, headers, headersDistinct }: IncomingMessage) {
  const hosts = headersDistinct.host?.length ?? 0
  if (hosts > 1) return (response: ServerResponse) => answerMalformed(response, 'Host: Given more than once')
  if (hosts === 0 && httpVersion === '1.1') {
    return (response: ServerResponse) => answerMalformed(response, 'Host: Required')
  }
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined
  return answerUnknownCoding
}

function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/**
 * Milliseconds that a request waits for the service to start: long enough for a start, and short enough for
 * callers.
 */
const holdTimeout = 10_000

/**
 * The handler while the service starts: requests wait until it has started, so that a caller during a restart
 * sees a slow answer instead of a failure. Health checks are told immediately that it is not ready.
 *
 * @param bound - milliseconds, after which the other requests are told to try again later
 */
export function holdUntilReady(bound = holdTimeout): {
  readonly listener: RequestListener
  /** Called after the start: this listener answers the waiting requests. */
  release(listener: RequestListener): void
} {
  const ready = Promise.withResolvers<RequestListener>()
  const hold = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const late = delay(bound, undefined, { signal: gone.signal }).catch(() => undefined)
    const listener = await Promise.race([ready.promise, late])
    if (listener) listener(request, response)
    else if (gone.signal.aborted) return
    else if (/\btext\/html\b/.test(request.headers.accept ?? '')) showStarting(response)
    else answerStarting(response)
  }
  return {
    listener(request, response) {
      const [path] = request.url?.split('?') ?? []
      if (path === livenessPath) answerAlive(response)
      else if (path === '/health' || path === readinessPath) answerStarting(response)
      else void hold(request, response)
    },
    release: ready.resolve,
  }
}

/** Requests that Node's parser rejects with a specific code; any other is not HTTP. */
const rejections: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** The parser has one code for unknown transfer codings, and for a `Content-Length` beside one. */
const isUnknownCoding = (error: NodeJS.ErrnoException) =>
  error.code === 'HPE_INVALID_TRANSFER_ENCODING' &&
  !/Content-Length/i.test(String(Reflect.get(error, 'reason')))

const notHttp = { issues: [{ path: '', message: 'Not a valid HTTP request' }] }

function answerOf(error: LanyardError) {
  const requestId = randomUUID()
  const { status, body } = toErrorAnswer(error, requestId)
  const text = JSON.stringify(body)
  return {
    status,
    text,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      Connection: 'close',
    },
  }
}

/** Answers a request that arrives while the service starts. */
function answerStarting(response: ServerResponse): void {
  const { status, text, headers } = answerOf(new LanyardError('STARTING'))
  response.writeHead(status, { ...headers, 'Retry-After': '1' }).end(text)
}

const startingPage = plainPage(
  'starting',
  `<h1>The service is starting</h1>
      <p>This page loads itself again until it is ready.</p>`,
  1,
)

/** Answers a browser that opens a page while the service starts. */
function showStarting(response: ServerResponse): void {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Retry-After': '1',
    Connection: 'close',
  }
  response.writeHead(503, headers).end(startingPage)
}

/** Answers a request whose body has a transfer coding besides `chunked`. */
function answerUnknownCoding(response: ServerResponse): void {
  const { status, text, headers } = answerOf(new LanyardError('UNSUPPORTED_TRANSFER_ENCODING'))
  response.writeHead(status, headers).end(text)
}

/** Answers a request whose head violates HTTP, although Node can parse it. */
function answerMalformed(response: ServerResponse, message: string): void {
  const issues = [{ path: '', message }]
  const { status, text, headers } = answerOf(new LanyardError('INVALID_INPUT', { issues }))
  response.writeHead(status, headers).end(text)
}

/**
 * Answers bytes on a socket that never became a request, with the body of every error; then closes the
 * socket.
 */
function answerRejected(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = isUnknownCoding(error) ? 'UNSUPPORTED_TRANSFER_ENCODING' : rejections[error.code ?? '']
  const answer = answerOf(code ? new LanyardError(code) : new LanyardError('INVALID_INPUT', notHttp))
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
  // Clients use the status code; the reason phrase may be empty (RFC 9112 §4).
  const head = [`HTTP/1.1 ${answer.status} `, ...lines].join('\r\n')
  socket.end(`${head}\r\n\r\n${answer.text}`, () => socket.destroy())
}
