import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'

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
export function answerStarting(response: ServerResponse): void {
  const { status, text, headers } = answerOf(new LanyardError('STARTING'))
  response.writeHead(status, { ...headers, 'Retry-After': '1' }).end(text)
}

/** Answers a request whose body has a transfer coding besides `chunked`. */
export function answerUnknownCoding(response: ServerResponse): void {
  const { status, text, headers } = answerOf(new LanyardError('UNSUPPORTED_TRANSFER_ENCODING'))
  response.writeHead(status, headers).end(text)
}

/** Answers a request whose head violates HTTP, although Node can parse it. */
export function answerMalformed(response: ServerResponse, message: string): void {
  const issues = [{ path: '', message }]
  const { status, text, headers } = answerOf(new LanyardError('INVALID_INPUT', { issues }))
  response.writeHead(status, headers).end(text)
}

/**
 * Answers bytes on a socket that never became a request, with the body of every error; then closes the
 * socket.
 */
export function answerRejected(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = isUnknownCoding(error) ? 'UNSUPPORTED_TRANSFER_ENCODING' : rejections[error.code ?? '']
  const answer = answerOf(code ? new LanyardError(code) : new LanyardError('INVALID_INPUT', notHttp))
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
  // Clients use the status code; the reason phrase may be empty (RFC 9112 §4).
  const head = [`HTTP/1.1 ${answer.status} `, ...lines].join('\r\n')
  socket.end(`${head}\r\n\r\n${answer.text}`, () => socket.destroy())
}
