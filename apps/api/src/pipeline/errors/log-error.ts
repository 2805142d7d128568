import type { LanyardError } from '@lanyard/contracts'
import type { Logger } from 'pino'

/** Logs a failure of the service as an error with its stack, and a mistake of the caller as a debug line. */
export function logError(log: Logger, error: LanyardError, status: number): void {
  if (status >= 500) log.error({ err: error.cause ?? error, code: error.code }, error.message)
  else log.debug({ code: error.code, cause: error.cause }, error.message)
}
