import type { Logger } from 'pino'
import type { Services } from './services.ts'

/** What a procedure is called with, besides its input. */
export interface RequestContext {
  readonly services: Services
  /** In the answer's header, in every error body, and on every line that `log` writes. */
  readonly requestId: string
  readonly log: Logger
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  /** The JWT that came as Bearer, not verified yet: `requireUser` does that. */
  readonly userToken: string | undefined
}
