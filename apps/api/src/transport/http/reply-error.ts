import { type EndpointDeclaration, errorTable, type LanyardError } from '@lanyard/contracts'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { Response } from 'express'
import { toErrorAnswer } from '../../pipeline/errors/error-answer.ts'
import { logError } from '../../pipeline/errors/log-error.ts'
import type { HttpRequestContext } from './http-request-context.ts'

/**
 * Answers with an error body. For a tRPC client that is rejected before tRPC handles the request, the body
 * has tRPC's wrapper.
 */
export function replyError(
  response: Response,
  error: LanyardError,
  { requestId, log, transport, setHeader }: HttpRequestContext,
  declaration?: EndpointDeclaration,
): void {
  const { status, body } = toErrorAnswer(error, requestId, declaration)
  logError(log, error, status)
  if (response.headersSent) {
    response.destroy()
    return
  }
  setRetryAfter(setHeader, error)
  if (status === 401) setHeader('WWW-Authenticate', 'Bearer')
  const code = TRPC_ERROR_CODES_BY_KEY[errorTable[error.code].trpc]
  const envelope = { error: { message: body.message, code, data: { ...body, httpStatus: status } } }
  response.status(status).json(transport === 'trpc' ? envelope : body)
}

/** Seconds, if something behind the service does not answer and nobody knows for how long. */
const defaultRetryAfter = 1

/**
 * Says in the header when to try again, in seconds: as the error's details say, or soon if something behind the service
 * does not answer (503), also at endpoints that answer 500 instead.
 */
export function setRetryAfter(
  setHeader: HttpRequestContext['setHeader'],
  { code, details }: LanyardError,
): void {
  const known = details?.retryAfter
  const retryAfter = known ?? (errorTable[code].status === 503 ? defaultRetryAfter : undefined)
  if (typeof retryAfter === 'number') setHeader('Retry-After', String(retryAfter))
}
