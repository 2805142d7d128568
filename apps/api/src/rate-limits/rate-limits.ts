import { type RateBucket, rateBuckets } from '@lanyard/contracts'
import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import type { Env } from '../env.ts'
import type { Calls } from './buckets.ts'
import type { Caller } from './caller.ts'
import { type Count, createCounter } from './counter.ts'

export interface Usage extends Count {
  readonly bucket: RateBucket
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts a request's calls, and says what is left in each bucket that they concern. */
export type RateLimits = (caller: Caller, calls: Calls) => Promise<readonly Usage[]>

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
  const countersFor = (kind: Caller['kind'], factor: number) =>
    rateBuckets.map((bucket) => {
      const limit = perAddress[bucket] * factor
      const name = `${kind}:${bucket}`
      // A check of this process: it does not need the database to be counted.
      const store = bucket === 'health' ? undefined : pool
      const count = createCounter({ name, points: limit, windowSeconds, pool: store, log })
      return { bucket, limit, count }
    })
  const counters = {
    address: countersFor('address', 1),
    key: countersFor('key', env.RATE_LIMIT_KEY_FACTOR),
  }

  return ({ kind, name }, calls) =>
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
}
