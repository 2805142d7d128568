import type { ErrorCode } from '@lanyard/contracts'
import { TRPCClientError } from '@trpc/client'

/** The parts of the service's error body that the wallet reads. */
export interface ServiceError {
  /**
   * Undefined if the answer came from something other than the service, or has a code from a newer version.
   */
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly requestId: string | undefined
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** The whole body, for codes with figures. */
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Reads an error of the tRPC client. Undefined if the service was not reached, or the error is of another
 * kind.
 */
export function readServiceError(error: unknown): ServiceError | undefined {
  if (!(error instanceof TRPCClientError) || !isRecord(error.data)) return undefined
  const { code, message, requestId, issues } = error.data
  return {
    // Importing the table of codes would bundle all schemas. An unknown code gets the default text.
    code: typeof code === 'string' ? (code as ErrorCode) : undefined,
    message: typeof message === 'string' ? message : error.message,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
    body: error.data,
  }
}

/** Whether the request got no response: no connection, or the service is down. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TRPCClientError && !isRecord(error.data)
}

/** Whether the service, or what stands before it, failed: it may have done what was asked. */
export function isServerFailure(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) return false
  const { response } = (error.meta ?? {}) as { readonly response?: { readonly status?: number } } // of the HTTP link
  return (response?.status ?? 0) >= 500 || readServiceError(error)?.code === 'INTERNAL'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isIssue(value: unknown): value is { path: string; message: string } {
  return isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string'
}
