import {
  type EndpointDeclaration,
  type ErrorBody,
  type ErrorCode,
  errorTable,
  type LanyardError,
  statusOf,
} from '@lanyard/contracts'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { ReplayedError } from '../idempotency/stored-answer.ts'

/** The page that explains a code. It is a path, so it works under any host name of the service. */
const errorDocs = (code: ErrorCode): string => `/docs/errors#${code}`

export interface ErrorAnswer {
  readonly status: number
  readonly body: ErrorBody
}

/** Status and body of an error: the body over REST, `error.data` over tRPC. */
export function toErrorAnswer(
  error: LanyardError,
  requestId: string,
  declaration?: EndpointDeclaration,
): ErrorAnswer {
  const { code, message, issues, details } = error
  const answeredIn = error instanceof ReplayedError ? error.requestId : requestId
  return {
    status: statusOf(code, declaration),
    // details come first, so that they cannot replace standard members.
    body: {
      ...details,
      ...{ code, message, requestId: answeredIn, docs: errorDocs(code) },
      ...(issues && { issues: [...issues] }),
    },
  }
}

/** The same for clients of tRPC, as they read an error. */
export function toTrpcError(...given: Parameters<typeof toErrorAnswer>) {
  const { status, body } = toErrorAnswer(...given)
  const code = TRPC_ERROR_CODES_BY_KEY[errorTable[body.code].trpc]
  return { message: body.message, code, data: { ...body, httpStatus: status } }
}
