import type { ErrorCode } from '@lanyard/contracts'
import { TRPCClientError } from '@trpc/client'

/** The service's error body, as far as the wallet reads it. */
export interface ServiceError {
  /** Undefined: the answer did not come from the service, or from a newer one with a code unknown here. */
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly requestId: string | undefined
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** The whole body, for codes that bring figures. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Reads an error of the tRPC client; undefined where the service was not reached, or it is another error. */
export function readServiceError(error: unknown): ServiceError | undefined {
  if (!(error instanceof TRPCClientError) || !isRecord(error.data)) return undefined
  const { code, message, requestId, issues } = error.data
  return {
    // The table of codes would bring all schemas into the page; an unknown code falls to the default text.
    code: typeof code === 'string' ? (code as ErrorCode) : undefined,
    message: typeof message === 'string' ? message : error.message,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    body: error.data,
  }
}

/** The request did not get an answer: no connection, or the service is down. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TRPCClientError && !isRecord(error.data)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isIssue(value: unknown): value is { path: string; message: string } {
  return isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string'
}
