import { errorBody } from '@lanyard/contracts'
import { jsonlStreamConsumer } from '@trpc/server/unstable-core-do-not-import'
import { type FuzzedOperation, operations } from './document.ts'
import { isRejectedByNode, type Judged, judgeAnswer, judgeCall, parseJson } from './oracle.ts'
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

/** Opens the envelope of one call: the status and the body that REST would answer. */
function open({ result, error }: Envelope): Opened {
  if (error === undefined) return { status: 200, body: result?.data }
  const { httpStatus, ...body } = isObject(error.data) ? error.data : {}
  return { status: Number(httpStatus), body }
}

/**
 * A batch that was answered as a stream (`trpc-accept: application/jsonl`), in the form of one that was not. Other
 * answers stay as they are.
 */
export async function collectStream(answer: FuzzAnswer): Promise<FuzzAnswer> {
  if (answer.headers['content-type'] !== 'application/jsonl' || answer.status !== 200) return answer
  const [calls] = await jsonlStreamConsumer<Readonly<Record<string, Promise<StreamedCall>>>>({
    from: new Blob([answer.text]).stream(),
    abortController: new AbortController(),
  })
  const envelopes = await Promise.all(
    Object.values(calls).map(async (call) => {
      const { error, result } = await call
      return error === undefined ? { result: { data: await (await result)?.data } } : { error }
    }),
  )
  return {
    status: statusOf(envelopes.map(open)), // a stream begins before the status of its calls is known
    headers: { ...answer.headers, 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify(envelopes),
  }
}

interface StreamedCall {
  readonly error?: Envelope['error']
  readonly result?: Promise<{ readonly data: unknown }>
}

/** The outcome of each call of a tRPC request, in the form of REST answers. */
export function openEnvelopes({ text }: FuzzAnswer) {
  const body = parseJson(text)?.json
  return (Array.isArray(body) ? body : [body]).map((envelope) => open(isObject(envelope) ? envelope : {}))
}

/** Checks one call of a malformed request. It either succeeds or is rejected with a body of the error table. */
function judgeStray(procedure: string | undefined, { status, body }: Opened): readonly string[] {
  const operation = operations.find((one) => one.procedure === procedure)
  if (operation && status === 200) return judgeCall(operation, { status, body, requestId: undefined })
  return [
    ...(status >= 400 && status < 500 ? [] : [`status ${status} for an invalid call`]),
    ...(errorBody.safeParse(body).success ? [] : ['no error body']),
  ]
}

/** The status of all calls, or 207 (RFC 4918) if they differ. */
function statusOf(opened: readonly Opened[]): number {
  const [first, ...others] = new Set(opened.map(({ status }) => status))
  return first === undefined || others.length > 0 ? 207 : first
}

/** Checks the HTTP status. */
function judgeStatus(answered: number, opened: readonly Opened[]): readonly string[] {
  const expected = statusOf(opened)
  return answered === expected ? [] : [`status ${answered} instead of ${expected}`]
}

/** Checks an answer to a malformed tRPC request. */
export function judgeStrangeTrpc({ calls }: TrpcRequest, judged: Judged): readonly string[] {
  const complaints = judgeAnswer(judged)
  if (isRejectedByNode(judged)) return complaints
  const opened = openEnvelopes(judged.answer)
  const names = calls.join(',').split(',')
  return [
    ...complaints,
    ...judgeStatus(judged.answer.status, opened),
    ...opened.flatMap((one, index) => judgeStray(names[index], one)),
  ]
}

/** Checks a tRPC answer to calls of operations, in order. */
export function judgeTrpc(called: readonly FuzzedOperation[], judged: Judged): readonly string[] {
  const { answer } = judged
  const complaints = judgeAnswer(judged)
  if (isRejectedByNode(judged)) return complaints
  const opened = openEnvelopes(answer)
  const general = [...complaints, ...judgeStatus(answer.status, opened)]
  const isBatch = Array.isArray(parseJson(answer.text)?.json)
  // The batch is rejected before any call is read.
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
