import { createServer, type RequestListener, type Server } from 'node:http'
import { setInterval } from 'node:timers'
import { serverTimeouts } from '../http/limits.ts'

export interface HttpServer {
  readonly server: Server
  /** Requests before this are told to come back. */
  serve(listener: RequestListener): void
  /** Takes no new connections; resolves when the last request is answered, or cut off after the bound. */
  close(bound: number): Promise<void>
}

/** Milliseconds between two looks for connections that have become idle while the server closes. */
const idleCheck = 25

/**
 * The socket comes first, so that a port that is taken is told at once and the service's own origin is known;
 * what answers comes when everything else has started.
 */
export function createHttpServer(): HttpServer {
  let listener: RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1', Connection: 'close' }).end()
  }
  const server = createServer(serverTimeouts, (request, response) => listener(request, response))
  return {
    server,
    serve(next) {
      listener = next
    },
    async close(bound) {
      if (!server.listening) return
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
