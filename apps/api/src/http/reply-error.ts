import { type EndpointDeclaration, errorTable, type LanyardError } from '@lanyard/contracts'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import { toErrorAnswer } from '../errors/error-answer.ts'
import { logError } from '../errors/log-error.ts'

interface Reply {
  readonly requestId: string
  readonly log: Logger
  readonly declaration?: EndpointDeclaration | undefined
}

/** Where tRPC is served. */
export const trpcPath = '/trpc'

export const isTrpcPath = (path: string): boolean => path === trpcPath || path.startsWith(`${trpcPath}/`)

/**
 * Answers with an error: its body, or, to a tRPC client that is refused before tRPC saw it, the same body where
 * such a client looks for it.
 */
export function replyError(
  request: Request,
  response: Response,
  error: LanyardError,
  { requestId, log, declaration }: Reply,
): void {
  const { status, body } = toErrorAnswer(error, requestId, declaration)
  logError(log, error, status)
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  const code = TRPC_ERROR_CODES_BY_KEY[errorTable[error.code].trpc]
  const envelope = { error: { message: body.message, code, data: { ...body, httpStatus: status } } }
  response.status(status).json(isTrpcPath(request.path) ? envelope : body)
}
