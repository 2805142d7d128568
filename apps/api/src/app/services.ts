import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ApiKeys } from '../domain/accounts/api-keys/api-keys.ts'
import type { RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
import type { Tokens } from '../domain/accounts/tokens/tokens.ts'
import type { OperationDependencies } from '../domain/operations/dependencies.ts'
import type { RateLimits } from '../pipeline/rate-limits/rate-limits.ts'
import type { Checkpoint } from '../platform/checkpoint.ts'
import type { Env } from '../platform/environment/env.ts'
import type { Keys } from '../platform/keys/keys.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { SharedReads } from '../platform/shared-reads.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'

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
