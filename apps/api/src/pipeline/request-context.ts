import type { Logger } from 'pino'
import type { CallerContext } from '../domain/accounts/callers/caller.ts'
import type { Project } from './project.ts'
import type { Services } from './services.ts'

/** The context of a procedure, besides its input. */
export interface RequestContext extends CallerContext {
  readonly services: Services
  /** The app that the request belongs to. */
  readonly project: Project
  /** It is in the response header, in every error body, and in every line that `log` writes. */
  readonly requestId: string
  readonly log: Logger
  /** The requesting page (Fetch §3.2), if the browser sends it. */
  readonly origin: string | undefined
  /** W3C Trace Context: the caller's span. */
  readonly traceparent: string | undefined
  /** Adds fields to the request's log line. */
  readonly note: (fields: Readonly<Record<string, string>>) => void
  /** Only mutations use it; the transport validates it. */
  readonly idempotencyKey: string | undefined
  /**
   * Charges what an open stream has sent since the last call. Other answers are charged when they end.
   *
   * @throws RATE_LIMITED when the caller has used its allowance
   */
  chargeSent(): void
  /** Sets a response header; without effect once the response is streaming. */
  readonly setHeader: (name: string, value: string) => void
}
