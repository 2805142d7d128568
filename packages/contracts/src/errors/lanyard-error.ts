import { type ErrorCode, errorTable } from './error-table.ts'

/** One invalid field of a request: a dotted path (`transactionDetails.0.value`) and its problem. */
export interface InputIssue {
  readonly path: string
  readonly message: string
}

export interface LanyardErrorOptions {
  /** The message for the caller. Internal details belong in `cause`, which only the log contains. */
  readonly message?: string
  readonly issues?: readonly InputIssue[]
  /** Further public members of the error body: figures, hashes, reasons. JSON values only. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * An error with a code from the table, the only kind that is shown to a caller with its own code and message.
 */
export class LanyardError extends Error {
  override readonly name = 'LanyardError'
  readonly code: ErrorCode
  readonly issues: readonly InputIssue[] | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, options: LanyardErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause })
    this.code = code
    this.issues = options.issues
    this.details = options.details ?? {}
  }
}
