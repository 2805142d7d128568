import type { IncomingMessage, ServerResponse } from 'node:http'
import { LanyardError } from '@lanyard/contracts'
import { json, type RequestHandler, text } from 'express'
import { hasFewValues, maxValues } from './few-values.ts'
import { maxBodyBytes } from './limits.ts'

/** With a type like the ones of body-parser's own errors. */
class TooManyValues extends Error {
  readonly type = 'values.too.many'
}

const reading = {
  limit: maxBodyBytes,
  inflate: false,
  /** Called with the bytes, before they are parsed. */
  verify(_request: IncomingMessage, _response: ServerResponse, body: Buffer) {
    if (!hasFewValues(body)) throw new TooManyValues()
  },
}

const parseJson = json({ ...reading, strict: false, type: () => true })

/** The body as a text that is cheap to parse, for handlers that parse it themselves. */
const readText = text({ ...reading, type: ({ headers }) => isJson(headers['content-type'] ?? '') })

/** body-parser's `type` of the errors that it throws. */
const refusals = new Map([
  ['entity.too.large', 'PAYLOAD_TOO_LARGE'],
  ['entity.parse.failed', 'INVALID_JSON'],
  ['request.size.invalid', 'INVALID_JSON'],
  ['request.aborted', 'INVALID_JSON'], // the client is gone: not a failure of the service
  ['charset.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
  ['encoding.unsupported', 'UNSUPPORTED_MEDIA_TYPE'],
] as const)

function toRefusal(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'values.too.many') {
    const issues = [{ path: '', message: `A body has at most ${maxValues} values` }]
    return new LanyardError('INVALID_INPUT', { issues })
  }
  for (const [theirs, ours] of refusals) {
    if (type === theirs) return new LanyardError(ours, { cause: error })
  }
  return error
}

const isJson = (contentType: string) => /^application\/json\s*(;|$)/i.test(contentType)

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * The body as JSON. A missing body counts as an empty object, so that the error names the missing members.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON
 */
export async function readJson(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
): Promise<unknown> {
  const contentType = request.headers['content-type']
  if (contentType === undefined ? hasBody(request) : !isJson(contentType)) {
    throw new LanyardError('UNSUPPORTED_MEDIA_TYPE')
  }
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(toRefusal(error)) : resolve()))
  })
  return request.body ?? {}
}

/** Reads a body of JSON as a text into `request.body`, with the same limits. */
export const readJsonText: RequestHandler = (request, response, next) =>
  readText(request, response, (error?: unknown) => next(error && toRefusal(error)))

/**
 * The body as a JSON object.
 *
 * @throws as {@link readJson}; INVALID_INPUT when it is not an object
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Record<string, unknown>> {
  const body = await readJson(request, response)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new LanyardError('INVALID_INPUT', {
      issues: [{ path: '', message: 'Expected a JSON object as body' }],
    })
  }
  return body as Record<string, unknown> // JSON.parse creates no other objects
}
