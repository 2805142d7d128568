/** A failure that the caller must handle: `code` to branch on, `message` to show. */
export interface Failure<code extends string> {
  readonly ok: false
  readonly code: code
  readonly message: string
}

/** Builds a {@link Failure}. */
export function failure<const code extends string>(code: code, message: string): Failure<code> {
  return { ok: false, code, message }
}
