import type { ServerResponse } from 'node:http'
import { type EndpointDeclaration, errorTable, type LanyardError } from '@lanyard/contracts'
import { toErrorAnswer, toTrpcError } from '../pipeline/errors/error-answer.ts'
import { logError } from '../pipeline/errors/log-error.ts'
import { sendJson } from './headers.ts'
import type { HttpRequestContext } from './http-request-context.ts'

/**
 * Answers with an error body. For a tRPC client that is rejected before tRPC handles the request, the body
 * has tRPC's wrapper.
 */
export function replyError(
  response: ServerResponse,
  error: LanyardError,
  {
    requestId,
    log,
    transport,
    setHeader,
  }: Pick<HttpRequestContext, 'requestId' | 'log' | 'transport' | 'setHeader'>,
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
  const isTrpc = transport === 'trpc'
  sendJson(response, status, isTrpc ? { error: toTrpcError(error, requestId, declaration) } : body)
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
