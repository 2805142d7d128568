import { type ErrorCode, type InputIssue, LanyardError } from '@lanyard/contracts'

/** What an error body is made of, as it is stored. */
export interface StoredError {
  readonly code: ErrorCode
  readonly message: string
  readonly issues?: readonly InputIssue[] | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string
}

/** An error that an earlier request met: its body names that request, whose lines of the log tell why. */
export class ReplayedError extends LanyardError {
  readonly requestId: string

  constructor({ code, message, issues, details, requestId }: StoredError) {
    super(code, { message, details, ...(issues && { issues }) })
    this.requestId = requestId
  }
}
