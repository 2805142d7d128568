import { type ErrorCode, type InputIssue, LanyardError } from '@lanyard/contracts'

/** The stored parts of an error body. */
export interface StoredError {
  readonly code: ErrorCode
  readonly message: string
  readonly issues?: readonly InputIssue[] | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string
}

/** The error of an earlier request: its body names that request, whose log lines explain it. */
export class ReplayedError extends LanyardError {
  readonly requestId: string

  constructor({ code, message, issues, details, requestId }: StoredError) {
    super(code, { message, details, ...(issues && { issues }) })
    this.requestId = requestId
  }
}
