import type { ErrorCode, InputIssue } from '@lanyard/contracts'

interface ErrorMembers {
  readonly code?: ErrorCode
  readonly message?: string
  readonly requestId?: string
  readonly issues?: readonly InputIssue[]
}

/** The service answered with an error. `code` is what to branch on; quote `requestId` when you ask for help. */
export class LanyardApiError extends Error {
  override readonly name = 'LanyardApiError'
  /** HTTP status. */
  readonly status: number
  /** `INTERNAL` where something between us answered that does not speak our language. */
  readonly code: ErrorCode
  readonly requestId: string | undefined
  /** With INVALID_INPUT: each malformed place. */
  readonly issues: readonly InputIssue[]
  /** Further members that the code brings: figures, hashes, reasons. */
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
