import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ApiKeys } from './api-keys/api-keys.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Env } from './env.ts'
import type { Keys } from './keys/keys.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { OperationDependencies } from './operations/dependencies.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'
import type { SharedReads } from './shared-reads.ts'
import type { Tokens } from './tokens/tokens.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { RelyingParty } from './webauthn/relying-party.ts'

/** What procedures and workers stand on: made once at start, handed to every request. */
export interface Services {
  readonly env: Env
  readonly keys: Keys
  readonly log: Logger
  readonly now: () => Date
  readonly database: Kysely<Database>
  /** One round trip to the database; rejects when it does not answer. */
  readonly pingDatabase: () => Promise<void>
  readonly networks: Networks
  readonly operations: OperationDependencies
  readonly relyingParty: RelyingParty
  readonly tokens: Tokens
  readonly rateLimits: RateLimits
  readonly sharedReads: SharedReads
  readonly apiKeys: ApiKeys
  /** Add a gauge of your own by `metrics.addGauge`. */
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** Aborted when the service has begun to close. */
  readonly closing: AbortSignal
  /** Between the steps of the money path: tests end the process there (CRASH_AT), otherwise it does nothing. */
  readonly checkpoint: Checkpoint
}
