import type { ErrorCode, InputIssue } from '@lanyard/contracts'

interface ErrorMembers {
  readonly code?: ErrorCode
  readonly message?: string
  readonly requestId?: string
  readonly issues?: readonly InputIssue[]
}

/** An error response of the service. Branch on `code`, and quote `requestId` when you ask for help. */
export class LanyardApiError extends Error {
  override readonly name = 'LanyardApiError'
  /** HTTP status. */
  readonly status: number
  /** `INTERNAL` if an intermediary answered in another format. */
  readonly code: ErrorCode
  readonly requestId: string | undefined
  /** Every malformed input, for INVALID_INPUT. */
  readonly issues: readonly InputIssue[]
  /** Further fields of this code, such as figures, hashes and reasons. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, body: unknown) {
    const members: ErrorMembers = typeof body === 'object' && body !== null ? body : {}
    const { code = 'INTERNAL', message, requestId, issues = [], ...details } = members
    super(message ?? `The service answered with status ${status}`)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.issues = issues
    this.details = details
  }
}
