import type { LanyardError } from '@lanyard/contracts'
import type { Logger } from 'pino'

/**
 * Logs a failure of the service as an error with its stack, and a mistake of the caller as a debug line. An answer that says
 * when to try again is no failure: many callers at once get it, and each gets a short line.
 */
export function logError(log: Logger, error: LanyardError, status: number): void {
  const { code, details } = error
  if (status >= 500 && typeof details?.retryAfter === 'number') log.warn({ code }, error.message)
  else if (status >= 500) log.error({ err: error.cause ?? error, code }, error.message)
  else log.debug({ code, cause: error.cause }, error.message)
}
