import type { Logger } from 'pino'
import type { Services } from '../app/services.ts'
import type { ApiKey } from '../domain/accounts/api-keys/api-key.ts'

/** What a procedure is called with, besides its input. */
export interface RequestContext {
  readonly services: Services
  /** In the answer's header, in every error body, and on every line that `log` writes. */
  readonly requestId: string
  readonly log: Logger
  /** The JWT that came as Bearer, not verified yet: `requireUser` does that. */
  readonly userToken: string | undefined
  /** The page that asks (Fetch §3.2), if a browser says which. */
  readonly origin: string | undefined
  /** The API key that came with the request, if it is a known one. */
  readonly apiKey: ApiKey | undefined
  /** The caller's, as TRUST_PROXY lets it count: with IPv6 its /64. */
  readonly address: string
  /** W3C Trace Context: the caller's span. */
  readonly traceparent: string | undefined
  /** Adds to the one line that the log gets about the request. */
  readonly note: (fields: Readonly<Record<string, string>>) => void
  /** Of its right form; only mutations look at it. */
  readonly idempotencyKey: string | undefined
  /** Of the answer; without effect once an answer streams. */
  readonly setHeader: (name: string, value: string) => void
}
