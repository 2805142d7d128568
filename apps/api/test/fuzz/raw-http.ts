import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { duplexPair } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds within which the service must answer. The fuzzed requests do not wait for a chain. */
const answerTimeout = 45_000

/** Milliseconds of silence after which an incomplete request is abandoned. */
const silence = 400

interface RawOptions {
  /** Whether the request is complete and asks to close the connection, so that the test waits for the end. */
  readonly complete: boolean
  /** Time-out in milliseconds. */
  readonly timeout?: number
}

/**
 * Whether the service must answer these bytes without more input. Node's parser finds a complete request in them,
 * or finds that they can never become one.
 */
export function requiresAnswer(bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer({ requireHostHeader: false })
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.on(event, (request: IncomingMessage) => request.resume().once('end', () => resolve(true)))
    }
    server.on('clientError', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'HPE_INVALID_EOF_STATE') resolve(true)
    })
    const [client, connection] = duplexPair()
    server.emit('connection', connection)
    // The end of a complete request is reported before the next turn of the event loop.
    connection.once('end', () => setImmediate(resolve, false))
    client.end(bytes)
  })
}

/**
 * Writes parts to a socket, one per turn of the event loop.
 *
 * @returns all bytes that came back until either side closed
 * @throws if the service must answer, but neither answers nor closes the connection
 */
export async function sendRaw(
  port: number,
  parts: readonly Buffer[],
  { complete, timeout = answerTimeout }: RawOptions,
): Promise<string> {
  const isRequired = complete || (await requiresAnswer(Buffer.concat(parts)))
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  const closed = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the service neither answered nor closed the connection within ${timeout} ms`))
    }, timeout)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  socket.on('error', () => {}) // the service may close the connection during a write, which counts as an answer
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (!complete && socket.writable && firstAnswer(Buffer.concat(chunks).toString())) socket.end()
  })
  socket.setNoDelay(true)
  for (const part of parts) {
    if (!socket.writable) break
    socket.write(part)
    await nextTurn()
  }
  if (!isRequired) socket.setTimeout(silence, () => socket.end())
  await closed
  return Buffer.concat(chunks).toString()
}

/** Bytes split at each cut. */
export function splitAt(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index]))
}

/** Joins the received chunks of a body (RFC 9112 §7.1). */
function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.subarray(0, end).toString(), 16)
    if (end < 0 || !(length > 0)) return Buffer.concat(chunks)
    chunks.push(rest.subarray(end + 2, end + 2 + length))
    rest = rest.subarray(end + 2 + length + 2)
  }
}

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** "100 Continue" is not the answer yet (RFC 9110 §15.2.1). */
const continueLines = /^(HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/

/** The first answer, or nothing if the service only closed the connection. */
export function firstAnswer(text: string): RawAnswer | undefined {
  const match = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(
    text.replace(continueLines, ''),
  )
  if (!match) return undefined
  const [, status = '', head = '', rest = ''] = match
  const bytes = Buffer.from(rest)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  const isChunked = /^transfer-encoding: chunked/im.test(head)
  const body = isChunked
    ? joinChunks(bytes)
    : bytes.subarray(0, length === undefined ? undefined : Number(length))
  return { status: Number(status), head, body: body.toString() }
}
