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
  /** The name of the API key that came with the request; keys of one name are one caller. */
  readonly apiKey: string | undefined
  /** Of its right form; only mutations look at it. */
  readonly idempotencyKey: string | undefined
  /** Of the answer; without effect once an answer streams. */
  readonly setHeader: (name: string, value: string) => void
}
