import type { Logger } from 'pino'
import type { CallerContext } from '../domain/accounts/callers/caller-context.ts'
import type { Services } from './services.ts'

/** What a procedure is called with, besides its input. */
export interface RequestContext extends CallerContext {
  readonly services: Services
  /** In the answer's header, in every error body, and on every line that `log` writes. */
  readonly requestId: string
  readonly log: Logger
  /** The page that asks (Fetch §3.2), if a browser says which. */
  readonly origin: string | undefined
  /** W3C Trace Context: the caller's span. */
  readonly traceparent: string | undefined
  /** Adds to the one line that the log gets about the request. */
  readonly note: (fields: Readonly<Record<string, string>>) => void
  /** Of its right form; only mutations look at it. */
  readonly idempotencyKey: string | undefined
  /** Of the answer; without effect once an answer streams. */
  readonly setHeader: (name: string, value: string) => void
}
