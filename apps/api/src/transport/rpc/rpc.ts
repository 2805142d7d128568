import { LanyardError, type RateBucket } from '@lanyard/contracts'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { callerOf } from '../../domain/accounts/callers/caller.ts'
import { sendJson } from '../../http/headers.ts'
import { currentRequest } from '../../http/http-request-context.ts'
import { maxBatchSize } from '../../http/limits.ts'
import { readJson } from '../../http/read-request.ts'
import { replyError } from '../../http/reply-error.ts'
import { requireScope } from '../../pipeline/access.ts'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'
import { logError } from '../../pipeline/errors/log-error.ts'
import { observeCall } from '../../pipeline/implement.ts'
import { assertShallow } from '../../pipeline/parse-input.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { toLanyardError } from '../../platform/errors/to-lanyard-error.ts'
import { currentMeter } from '../../platform/log/current-request.ts'
import { RpcError, type RpcErrorObject, rpcCodes, toRpcError } from './rpc-error.ts'
import { rpcMethods } from './rpc-methods.ts'

const networkPath = /^\/([1-9]\d{0,15})$/

const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).default([]),
})

type Answer =
  | { readonly jsonrpc: '2.0'; readonly id: string | number | null; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: string | number | null; readonly error: RpcErrorObject }

const failed = (id: string | number | null, error: RpcErrorObject): Answer => ({ jsonrpc: '2.0', id, error })

/**
 * `POST /rpc/:chainId`: JSON-RPC 2.0, one call or a batch. The status is 200 for any result of a call; only
 * access and rate errors have their own status.
 */
export const rpcHandler: RequestHandler = async (incoming, response) => {
  const context = currentRequest()
  const [, chainId] = networkPath.exec(incoming.path) ?? []
  if (chainId === undefined) return replyError(response, new LanyardError('UNKNOWN_ROUTE'), context)
  if (incoming.method !== 'POST') {
    response.setHeader('Allow', 'POST, OPTIONS')
    return replyError(response, new LanyardError('METHOD_NOT_ALLOWED'), context)
  }
  const answer = await answerBody(await readCalls(incoming, response), Number(chainId), context)
  if (answer === undefined) return void response.writeHead(204).end()
  sendJson(response, 200, answer)
}

/** The body, or why it cannot be read, for which JSON-RPC has its own codes. */
async function readCalls(...parameters: Parameters<typeof readJson>): Promise<unknown> {
  try {
    return await readJson(...parameters)
  } catch (error) {
    if (error instanceof LanyardError && error.code === 'INVALID_JSON')
      return new RpcError(rpcCodes.parseError, error.message)
    if (error instanceof LanyardError && error.code === 'INVALID_INPUT') return error
    throw error
  }
}

async function answerBody(body: unknown, chainId: number, context: RequestContext) {
  if (body instanceof Error) return failed(null, toErrorObject(body, context))
  if (!Array.isArray(body)) {
    await chargeCalls(context, [body])
    return answerCall(body, chainId, context)
  }
  if (body.length === 0 || body.length > maxBatchSize)
    return failed(null, {
      code: rpcCodes.invalidRequest,
      message: `A batch has 1 to ${maxBatchSize} calls.`,
    })
  await chargeCalls(context, body)
  const answers = await Promise.all(body.map((call) => answerCall(call, chainId, context)))
  const wanted = answers.filter((answer) => answer !== undefined)
  return wanted.length === 0 ? undefined : wanted
}

/** Undefined for a notification, which gets no answer. */
async function answerCall(
  call: unknown,
  chainId: number,
  context: RequestContext,
): Promise<Answer | undefined> {
  const { data: parsed } = request.safeParse(call)
  if (!parsed) {
    const { id } = Object(call)
    return failed(typeof id === 'string' || typeof id === 'number' ? id : null, {
      code: rpcCodes.invalidRequest,
      message: 'Expected a JSON-RPC 2.0 request.',
    })
  }
  const { id, method, params } = parsed
  const answer = await run(method, params, chainId, context).then(
    (result): Answer => ({ jsonrpc: '2.0', id: id ?? null, result }),
    (error: unknown) => failed(id ?? null, toErrorObject(error, context)),
  )
  return id === undefined ? undefined : answer
}

async function run(method: string, params: unknown, chainId: number, context: RequestContext) {
  const known = rpcMethods.get(method)
  if (!known) throw new RpcError(rpcCodes.methodNotFound, `There is no method ${method.slice(0, 64)}.`)
  requireScope(context, known.scope)
  if (!Array.isArray(params)) throw new RpcError(rpcCodes.invalidParams, 'params: Expected an array')
  assertShallow(params)
  const network = context.services.networks.get(chainId)
  return observeCall(`rpc.${method}`, context, async () => known.run({ context, network, params }))
}

function toErrorObject(error: unknown, { log, requestId }: RequestContext): RpcErrorObject {
  if (error instanceof RpcError) return { code: error.code, message: error.message }
  const lanyardError = toLanyardError(error)
  logError(log, lanyardError, toErrorAnswer(lanyardError, requestId).status)
  return toRpcError(lanyardError)
}

/**
 * Counts the calls of a body by their methods, and reserves what they may cost. Every request is first admitted by its
 * path, which shows only one call, as a build.
 *
 * @throws RATE_LIMITED, before anything is done
 */
async function chargeCalls(context: RequestContext, calls: readonly unknown[]): Promise<void> {
  const { env } = context.services
  if (env.RATE_LIMITS === 'off') return
  const charge = async (bucket: RateBucket, points: number) => {
    if (points === 0) return
    const { refused, reset } = await context.project.limits.charge(callerOf(context), bucket, points)
    if (refused) throw new LanyardError('RATE_LIMITED', { details: { retryAfter: reset } })
  }
  const buckets = calls.map((call) => rpcMethods.get(Object(call).method)?.bucket ?? 'calls')
  // The path has shown one call, as the most expensive.
  if (buckets.length > 1) currentMeter()?.addCalls(buckets.slice(1))
  const countOf = (bucket: RateBucket) => buckets.filter((one) => one === bucket).length
  await charge('calls', calls.length - 1)
  await charge('reads', countOf('reads'))
  await charge('builds', countOf('builds'))
}
