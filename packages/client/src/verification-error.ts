/** The service answered a build, or a solution, that is not what was asked for. Do not sign it. */
export class BuildVerificationError extends Error {
  override readonly name = 'BuildVerificationError'
  /** The member of the answer that is wrong, e.g. `userOp.callData`, `solution.fee`. */
  readonly field: string

  constructor(field: string, message: string) {
    super(`${field}: ${message}`)
    this.field = field
  }
}
