import { Agent, request as httpRequest } from 'node:http'
import { type FuzzedOperation, operationOf, operations } from './document.ts'
import { fillIn, type KnownValues } from './placeholders.ts'
import type { FuzzRequest, RestRequest, TrpcRequest } from './request.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface WireRequest {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/**
 * Time-out of a request in milliseconds. The service waits up to 30 s for an inclusion, and nothing takes longer.
 */
const answerTimeout = 45_000

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

const toBody = ({ body, text, bytes }: Pick<RestRequest, 'body' | 'text' | 'bytes'>, known: KnownValues) => {
  if (bytes !== undefined) return Buffer.from(bytes, 'base64')
  if (text !== undefined) return Buffer.from(String(fillIn(text, known)))
  return body === undefined ? undefined : Buffer.from(JSON.stringify(fillIn(body, known)))
}

const withType = (headers: Readonly<Record<string, string>>, body: Buffer | undefined) =>
  body === undefined ? headers : { 'content-type': 'application/json', ...headers }

/** A request as an operation's path takes it. */
function restOnWire(
  request: RestRequest,
  known: KnownValues,
  { method, path }: Pick<FuzzedOperation, 'method' | 'path'> = operationOf(request.operation),
): WireRequest {
  const parameters = new URLSearchParams(
    (request.query ?? []).map(([name, value]): [string, string] => [name, String(fillIn(value, known))]),
  )
  const query = `${parameters}${request.queryTail ?? ''}`
  const body = toBody(request, known)
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: withType(request.headers ?? {}, body),
    body,
  }
}

const procedureOf = (call: string) => operations.find(({ id }) => id === call)?.procedure ?? call

function trpcOnWire(request: TrpcRequest, known: KnownValues): WireRequest {
  const { method, calls, batch, headers = {} } = request
  const path = `/trpc/${calls.map((call) => encodeURIComponent(procedureOf(call))).join(',')}`
  const body = toBody(
    { body: request.input, ...(request.text !== undefined && { text: request.text }) },
    known,
  )
  const query = [
    ...(batch ? ['batch=1'] : []),
    ...(method === 'GET' && body ? [`input=${encodeURIComponent(body.toString())}`] : []),
  ]
  const sent = method === 'POST' ? body : undefined
  return {
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: withType(headers, sent),
    body: sent,
  }
}

/** The HTTP request that is sent, with the fixture's values in it. */
export function onWire(request: FuzzRequest, known: KnownValues): WireRequest {
  const wire = request.transport === 'REST' ? restOnWire(request, known) : trpcOnWire(request, known)
  const headers = fillIn(wire.headers, known) as Record<string, string> // fillIn keeps the shape
  return { ...wire, headers }
}

/**
 * Sends a request with node:http, which does not change the path.
 *
 * @throws if no answer arrives before the time-out
 */
export function send(url: string, { method, path, headers, body }: WireRequest): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    let answered = false
    const outgoing = httpRequest(
      `${url}/`,
      {
        method,
        path,
        agent,
        signal: AbortSignal.timeout(answerTimeout),
        headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
      },
      (response) => {
        answered = true
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    // A request that is rejected before its body has arrived gets an answer, and writing the rest of the body
    // fails.
    outgoing.on('error', (error) => answered || reject(error))
    outgoing.end(body)
  })
}
