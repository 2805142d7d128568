/** The service returned a build or a solution that does not match the request. Do not sign it. */
export class BuildVerificationError extends Error {
  override readonly name = 'BuildVerificationError'
  /** The wrong field of the response, e.g. `userOp.callData`, `solution.fee`. */
  readonly field: string

  constructor(field: string, message: string) {
    super(`${field}: ${message}`)
    this.field = field
  }
}
