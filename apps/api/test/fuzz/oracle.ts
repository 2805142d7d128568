import { errorBody } from '@lanyard/contracts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { document, type FuzzedOperation } from './document.ts'
import type { FuzzAnswer, WireRequest } from './send.ts'

const ajv = new Ajv2020({ strict: false, allErrors: false })
ajv.addFormat('date-time', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text))
ajv.addFormat('uri', (text) => URL.canParse(text))
ajv.addSchema(document, 'openapi')

const pointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns why an answer does not match the document for this operation and status. */
function schemaMismatch(operation: FuzzedOperation, status: number, body: unknown): string | undefined {
  const method = operation.method.toLowerCase()
  const path = `/paths/${pointer(operation.path)}/${method}/responses/${status}/content/application~1json/schema`
  const validate = ajv.getSchema(`openapi#${path}`)
  if (!validate) return `the document has no schema for status ${status}`
  return validate(body) ? undefined : `the body does not fit its schema: ${ajv.errorsText(validate.errors)}`
}

/** Text that only the internals of a service contain. An answer may quote it from the request. */
const internalPatterns: readonly RegExp[] = [
  /\bat [^\n"]{1,120}\.(?:ts|js|mjs|cjs):\d+/,
  /node_modules|file:\/\/\/|\bnode:internal/,
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|URIError|AggregateError)\b/,
  /Cannot (?:read|convert|destructure|mix BigInt|access)|is not (?:a function|iterable|defined)|Maximum call stack/,
  /\b(?:select|insert into|update|delete from)\b[^"]{1,200}\b(?:from|where|values|set)\b/i,
  /violates|syntax error at|invalid byte sequence|invalid input syntax|kysely|pglite|postgres/i,
  /viem@|Version: viem|Request body:|Raw Call Arguments|eth_(?:call|estimateGas)/,
  /ECONN|ENOENT|ETIMEDOUT|socket hang up/,
]

function leaks(text: string, sent: string, internals: readonly string[]): readonly string[] {
  // Local networks publish their RPC URL in this field.
  const withoutRpcUrls = text.replace(/"rpcUrls?":(?:"[^"]*"|\[[^\]]*\])/g, '')
  const found = [
    ...internalPatterns.flatMap((pattern) => pattern.exec(withoutRpcUrls)?.[0] ?? []),
    ...[...internals, process.cwd()].filter((secret) => withoutRpcUrls.includes(secret)),
  ]
  return found.filter((what) => !sent.includes(what)).map((what) => `the answer says ${JSON.stringify(what)}`)
}

export interface Judged {
  readonly wire: WireRequest
  readonly answer: FuzzAnswer
  readonly internals: readonly string[]
}

export function parseJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Checks an answer to any request. */
export function judgeAnswer({ wire, answer, internals }: Judged): readonly string[] {
  const { status, headers, text } = answer
  const sent = `${decodeLoosely(wire.path)} ${JSON.stringify(wire.headers)} ${wire.body ?? ''}`
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...(/^application\/json; charset=utf-8$/.test(String(headers['content-type']))
      ? []
      : [`content type ${headers['content-type']}`]),
    ...(typeof headers['x-request-id'] === 'string' ? [] : ['no x-request-id']),
    ...(parseJson(text) ? [] : [`the body is not JSON: ${text.slice(0, 200)}`]),
    ...leaks(text, sent, internals),
  ]
}

const decodeLoosely = (path: string) => {
  try {
    return `${path} ${decodeURIComponent(path)}`
  } catch {
    return path
  }
}

/** Checks the shape and the id of an error body, and that the document lists its code for this status. */
function judgeError(
  operation: FuzzedOperation,
  status: number,
  body: unknown,
  requestId: unknown,
): readonly string[] {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return [`no error body: ${parsed.error.message}`]
  const { code } = parsed.data
  const codes = operation.responses.get(status)
  return [
    ...(codes?.includes(code) ? [] : [`${code} with status ${status} is not documented for ${operation.id}`]),
    ...(requestId === undefined || parsed.data.requestId === requestId
      ? []
      : ['the body has another requestId']),
  ]
}

/** Checks the status and the body of one call over either transport. */
export function judgeCall(
  operation: FuzzedOperation,
  { status, body, requestId }: { status: number; body: unknown; requestId: unknown },
): readonly string[] {
  const mismatch = schemaMismatch(operation, status, body)
  return [
    ...(mismatch === undefined ? [] : [mismatch]),
    ...(status === 200 ? [] : judgeError(operation, status, body, requestId)),
  ]
}

/** Node itself rejects a request with too many bytes in the request line and the headers. */
export const isRejectedByNode = ({ answer, wire }: Judged): boolean =>
  answer.status === 431 && wire.path.length > 8_000

/** Checks an answer over REST. */
export function judgeRest(operation: FuzzedOperation, judged: Judged): readonly string[] {
  const { answer } = judged
  const complaints = judgeAnswer(judged)
  if (isRejectedByNode(judged)) return complaints
  const body = parseJson(answer.text)?.json
  // A replayed answer has the id of the first request.
  const replayed = answer.headers['idempotency-replayed'] !== undefined
  const requestId = replayed ? undefined : answer.headers['x-request-id']
  return [...complaints, ...judgeCall(operation, { status: answer.status, body, requestId })]
}
