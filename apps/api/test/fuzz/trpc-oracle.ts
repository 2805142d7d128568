import { errorBody } from '@lanyard/contracts'
import { type FuzzedOperation, operations } from './document.ts'
import { isRefusedByNode, type Judged, judgeAnswer, judgeCall, parseJson } from './oracle.ts'
import type { TrpcRequest } from './request.ts'
import type { FuzzAnswer } from './send.ts'

interface Envelope {
  readonly result?: { readonly data?: unknown }
  readonly error?: { readonly message?: unknown; readonly code?: unknown; readonly data?: unknown }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

interface Opened {
  readonly status: number
  readonly body: unknown
}

/** What the envelope says of one call: the status and the body that REST would answer. */
function open({ result, error }: Envelope): Opened {
  if (error === undefined) return { status: 200, body: result?.data }
  const { httpStatus, ...body } = isObject(error.data) ? error.data : {}
  return { status: Number(httpStatus), body }
}

/** The outcome of each call of a tRPC request, as the other transport would report it. */
export function openEnvelopes({ text }: FuzzAnswer) {
  const body = parseJson(text)?.json
  return (Array.isArray(body) ? body : [body]).map((envelope) => open(isObject(envelope) ? envelope : {}))
}

/** A call of a request that is not well-formed: it may be right by itself, else it is refused by a body of the table. */
function judgeStray(procedure: string | undefined, { status, body }: Opened): readonly string[] {
  const operation = operations.find((one) => one.procedure === procedure)
  if (operation && status === 200) return judgeCall(operation, { status, body, requestId: undefined })
  return [
    ...(status >= 400 && status < 500 ? [] : [`status ${status} of a call that nobody can make`]),
    ...(errorBody.safeParse(body).success ? [] : ['no error body']),
  ]
}

/** The status of HTTP: that of all calls, or 207 (RFC 4918) where they differ. */
function judgeStatus(answered: number, opened: readonly { readonly status: number }[]): readonly string[] {
  const statuses = new Set(opened.map(({ status }) => status))
  const expected = statuses.size === 1 ? [...statuses][0] : 207
  return answered === expected ? [] : [`status ${answered}, and its calls say ${expected}`]
}

/** An answer to a request over tRPC of which nothing is known. */
export function judgeStrangeTrpc({ calls }: TrpcRequest, judged: Judged): readonly string[] {
  const complaints = judgeAnswer(judged)
  if (isRefusedByNode(judged)) return complaints
  const opened = openEnvelopes(judged.answer)
  const names = calls.join(',').split(',')
  return [
    ...complaints,
    ...judgeStatus(judged.answer.status, opened),
    ...opened.flatMap((one, index) => judgeStray(names[index], one)),
  ]
}

/** An answer over tRPC to calls of operations, in their order. */
export function judgeTrpc(called: readonly FuzzedOperation[], judged: Judged): readonly string[] {
  const { answer } = judged
  const complaints = judgeAnswer(judged)
  if (isRefusedByNode(judged)) return complaints
  const opened = openEnvelopes(answer)
  const general = [...complaints, ...judgeStatus(answer.status, opened)]
  const isBatch = Array.isArray(parseJson(answer.text)?.json)
  // Rejected before any call is read.
  if (!isBatch && called.length > 1)
    return [...general, ...opened.flatMap((one) => judgeStray(undefined, one))]
  if (opened.length !== called.length) return [...general, `${opened.length} answers`]
  const replayed = answer.headers['idempotency-replayed'] !== undefined
  const requestId = replayed ? undefined : answer.headers['x-request-id']
  return [
    ...general,
    ...called.flatMap((operation, index) =>
      judgeCall(operation, { ...(opened[index] ?? { status: 0, body: undefined }), requestId }),
    ),
  ]
}
