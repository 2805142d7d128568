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
import { setImmediate as nextTurn } from 'node:timers/promises'
import { answerMalformed, answerRejected, answerUnknownCoding } from './early-answers.ts'
import { holdUntilReady } from './hold-until-ready.ts'
import { type ServerTimeouts, serverTimeouts } from './limits.ts'

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
      // Waits until all pending connections are accepted: closing resets the others.
      await nextTurn()
      const idle = setInterval(() => server.closeIdleConnections(), idleCheck)
      const cutOff = setTimeout(() => server.closeAllConnections(), bound)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      clearInterval(idle)
      clearTimeout(cutOff)
    },
  }
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
