import { type ErrorCode, errorTable } from './error-table.ts'

/** One malformed place in a request: a dotted path (`transactionDetails.0.value`) and what is wrong there. */
export interface InputIssue {
  readonly path: string
  readonly message: string
}

export interface LanyardErrorOptions {
  /** What the caller reads. Never an internal detail: that belongs into `cause`, which only the log sees. */
  readonly message?: string
  readonly issues?: readonly InputIssue[]
  /** Further public members of the error body: figures, hashes, reasons. JSON values only. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** An error with a code of the table: the only kind that a caller sees by its own name and text. */
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
