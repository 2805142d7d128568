import { type RateBucket, rateBuckets } from '@lanyard/contracts'
import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import type { Caller } from '../../domain/accounts/callers/caller.ts'
import type { Env } from '../../platform/environment/env.ts'
import { type Count, type Counter, createCounter } from './counter.ts'
import { createCounterStore } from './counter-store.ts'

/** The number of counts of a request in each bucket. */
export type Calls = Readonly<Record<RateBucket, number>>

export interface Usage extends Count {
  readonly bucket: RateBucket
  readonly limit: number
  readonly windowSeconds: number
}

export interface RateLimits {
  /** Counts a request's calls and returns the remaining points in each affected bucket. */
  (caller: Caller, calls: Calls): Promise<readonly Usage[]>
  /** Charges points that are known only during a request; rejects a caller who had none left before. */
  readonly charge: (caller: Caller, bucket: RateBucket, points: number) => Promise<Count>
  readonly refund: (caller: Caller, bucket: RateBucket, points: number) => Promise<void>
}

interface RateLimitOptions {
  readonly env: Pick<
    Env,
    | 'RATE_LIMIT_CALLS'
    | 'RATE_LIMIT_READS'
    | 'RATE_LIMIT_BUILDS'
    | 'RATE_LIMIT_CEREMONIES'
    | 'RATE_LIMIT_HEALTH'
    | 'RATE_LIMIT_KEY_FACTOR'
  >
  readonly pool: OpenDatabase['pool']
  readonly log: Logger
  readonly windowSeconds?: number
}

export function createRateLimits({ env, pool, log, windowSeconds = 60 }: RateLimitOptions): RateLimits {
  const perAddress: Calls = {
    calls: env.RATE_LIMIT_CALLS,
    reads: env.RATE_LIMIT_READS,
    builds: env.RATE_LIMIT_BUILDS,
    ceremonies: env.RATE_LIMIT_CEREMONIES,
    health: env.RATE_LIMIT_HEALTH,
  }
  const shared = pool && createCounterStore(pool)
  const countersFor = (kind: Caller['kind'], factor: number) =>
    rateBuckets.map((bucket) => {
      const limit = perAddress[bucket] * factor
      const name = `${kind}:${bucket}`
      // A health check of this process: counting it must not need the database.
      const store = bucket === 'health' ? undefined : shared
      const count = createCounter({ name, points: limit, windowSeconds, store, log })
      return { bucket, limit, count }
    })
  const counters = {
    address: countersFor('address', 1),
    key: countersFor('key', env.RATE_LIMIT_KEY_FACTOR),
  }

  const countCalls = ({ kind, name }: Caller, calls: Calls) =>
    Promise.all(
      counters[kind]
        .filter(({ bucket }) => calls[bucket] > 0)
        .map(async ({ bucket, limit, count }) => ({
          bucket,
          limit,
          windowSeconds,
          ...(await count(name, calls[bucket])),
        })),
    )
  const counterOf = ({ kind }: Caller, bucket: RateBucket) =>
    counters[kind][rateBuckets.indexOf(bucket)]?.count as Counter // each bucket has one
  return Object.assign(countCalls, {
    charge: (caller: Caller, bucket: RateBucket, points: number) =>
      counterOf(caller, bucket).charge(caller.name, points),
    refund: (caller: Caller, bucket: RateBucket, points: number) =>
      counterOf(caller, bucket).refund(caller.name, points),
  })
}
