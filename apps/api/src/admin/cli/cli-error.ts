/** A command cannot do what was requested; the message is for the person at the terminal. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly code: string

  /** @param code - for scripts that read `--json`, in the form of the service's own codes. */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
