import type { IncomingMessage, ServerResponse } from 'node:http'
import { type InputIssue, LanyardError } from '@lanyard/contracts'
import { json, type RequestHandler, text } from 'express'
import proxyAddress from 'proxy-addr'
import { maxBodyAt, maxBodyBytes, tooLarge } from './limits.ts'

const reading = (limit: number) => ({
  limit,
  inflate: false,
  /** Called with the bytes, before they are parsed. */
  verify(_request: IncomingMessage, _response: ServerResponse, body: Buffer) {
    if (!hasFewValues(body, maxValuesOf(limit)))
      // With a type like the ones of body-parser's own errors.
      throw Object.assign(new Error(), { type: 'values.too.many' })
  },
})

/** One parser for each limit of bytes. */
function byLimit<P>(create: (limit: number) => P): (limit: number) => P {
  const parsers = new Map<number, P>()
  return (limit) => {
    const parser = parsers.get(limit) ?? create(limit)
    parsers.set(limit, parser)
    return parser
  }
}

const jsonParser = byLimit((limit) => json({ ...reading(limit), strict: false, type: () => true }))

/** The body as a text that is cheap to parse, for handlers that parse it themselves. */
const textParser = byLimit((limit) =>
  text({ ...reading(limit), type: ({ headers }) => isJson(headers['content-type'] ?? '') }),
)

/** body-parser's `type` of the errors that it throws. */
const rejections = new Map([
  ['entity.parse.failed', 'INVALID_JSON'],
  ['request.size.invalid', 'INVALID_JSON'],
  ['request.aborted', 'INVALID_JSON'], // the client is gone: not a failure of the service
  ['charset.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
  ['encoding.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
] as const)

function toRejection(error: unknown, limit: number): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'values.too.many') {
    const most = maxValuesOf(limit)
    const message = `A body has at most ${most} values here, and ${most * bytesOfValue} bytes outside of texts`
    const issues = [{ path: '', message }]
    return new LanyardError('INVALID_INPUT', { issues })
  }
  if (type === 'entity.too.large') return tooLarge(limit, error)
  for (const [theirs, ours] of rejections) {
    if (type === theirs) return new LanyardError(ours, { cause: error })
  }
  return error
}

const isJson = (contentType: string) => /^application\/json\s*(;|$)/i.test(contentType)

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * The body as JSON, of at most `limit` bytes. A missing body counts as an empty object, so that the error names the missing members.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON
 */
export async function readJson(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  limit = maxBodyBytes,
): Promise<unknown> {
  const contentType = request.headers['content-type']
  if (contentType === undefined ? hasBody(request) : !isJson(contentType)) {
    throw new LanyardError('UNSUPPORTED_MEDIA_TYPE')
  }
  await new Promise<void>((resolve, reject) => {
    jsonParser(limit)(request, response, (error?: unknown) =>
      error ? reject(toRejection(error, limit)) : resolve(),
    )
  })
  return request.body ?? {}
}

/** Reads a body of JSON as a text into `request.body`, with the same limits. */
export const readJsonText: RequestHandler = (request, response, next) => {
  const limit = maxBodyAt(request.baseUrl + request.path)
  textParser(limit)(request, response, (error?: unknown) => next(error && toRejection(error, limit)))
}

/**
 * The body as a JSON object.
 *
 * @throws as {@link readJson}; INVALID_INPUT when it is not an object
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Record<string, unknown>> {
  const body = await readJson(request, response, limit)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new LanyardError('INVALID_INPUT', {
      issues: [{ path: '', message: 'Expected a JSON object as body' }],
    })
  }
  return body as Record<string, unknown> // JSON.parse creates no other objects
}

/**
 * Maximum number of values in a body. The largest that an endpoint can use is typed data of 32 KiB; 64 calls have a few
 * hundred.
 */
export const maxValues = 4_096

/** Maximum number of values in a body of so many bytes at most: short ones are of endpoints that take a few dozen. */
const maxValuesOf = (limit: number): number => Math.min(maxValues, limit / 32)

/** For each value, bytes that are no text: spaces, signs and digits. Each is looked at, and a text is skipped at once. */
const bytesOfValue = 16

const quote = 34
const backslash = 92
const comma = 44
const bracket = 91
const brace = 123

/**
 * Whether a JSON text has few enough values to be parsed in a millisecond or two. A value costs two bytes to
 * send and up to a hundred times as much to parse as a byte of a text. Counts the bytes that begin a value, and those
 * outside of texts, and stops at the limit.
 */
export function hasFewValues(json: Uint8Array, most = maxValues): boolean {
  if (json.length <= most) return true
  let values = 0
  let outside = most * bytesOfValue
  for (let index = 0; index < json.length; index++) {
    if (--outside < 0) return false
    const byte = json[index]
    if (byte === quote) index = endOfText(json, index)
    else if ((byte === comma || byte === bracket || byte === brace) && ++values > most) return false
  }
  return true
}

/**
 * The index of the quote that ends the text. Most texts have no escapes, so the next quote is found at once; a search
 * from each escaped quote to the next would take longer than looking at each byte.
 */
function endOfText(json: Uint8Array, start: number): number {
  const next = json.indexOf(quote, start + 1)
  if (next < 0) return json.length
  if (json[next - 1] !== backslash) return next
  for (let index = start + 1; index < json.length; index++) {
    if (json[index] === backslash) index++
    else if (json[index] === quote) return index
  }
  return json.length
}

export interface ReadQuery {
  readonly values: ReadonlyMap<string, string>
  /** Names that occur more than once. */
  readonly issues: readonly InputIssue[]
}

/**
 * Parses the query string: flat, only text, each name once. Express' own parsers create arrays and objects
 * for repeated and bracketed names, which no endpoint declares.
 */
export function readQuery(url: string): ReadQuery {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  const start = url.indexOf('?')
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      if (values.has(name)) repeated.add(name)
      values.set(name, value)
    }
  }
  return { values, issues: [...repeated].map((path) => ({ path, message: 'Given more than once' })) }
}

/**
 * The address that a request counts for. Each proxy appends the address of its caller to `X-Forwarded-For`.
 * TRUST_PROXY says how many of these are trusted, counted from the nearest.
 */
export const callerAddress = (request: IncomingMessage, trusted: number): string =>
  proxyAddress(request, (_address, hop) => hop < trusted)

/** The host, with its port, under which the sender of a request knows the service. */
export function calledHost({ headers }: IncomingMessage, trusted: number): string | undefined {
  const [forwarded] = trusted > 0 ? listOf(headers['x-forwarded-host']) : []
  return forwarded ?? headers.host
}

const listOf = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/**
 * A request's target (RFC 9112 §3.2) from its path on. An absolute target also has an authority, which is not
 * used. Undefined for `*` and for an invalid target.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return undefined
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** RFC 7519: three base64url parts, the first of which is a JSON object. A user's token is never an API key. */
export const isJwt = (text: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(text)

/** The value of `Authorization`, with or without its scheme. */
export const readBearer = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim()

/** The user's token of a request, not verified: `Authorization: Bearer <JWT>`. */
export function readUserToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const text = readBearer(authorization)
  return isJwt(text) ? text : undefined
}
