import { CodedError } from '@lanyard/onchain'

/**
 * A command cannot do what was requested; the message is for the person at the terminal. The code, in the form of the
 * service's own, is for scripts that read `--json`.
 */
export class CliError extends CodedError<string> {
  override readonly name = 'CliError'
}
