import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import type { Env } from '../env.ts'
import { type Bucket, buckets, type Calls } from './buckets.ts'
import { type Count, createCounter } from './counter.ts'

/** Whom requests are counted for. */
export type Caller =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'address'; readonly name: string }

export interface Usage extends Count {
  readonly bucket: Bucket
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts a request's calls, and says what is left in each bucket that they concern. */
export type RateLimits = (caller: Caller, calls: Calls) => Promise<readonly Usage[]>

interface RateLimitOptions {
  readonly env: Pick<
    Env,
    'RATE_LIMIT_CALLS' | 'RATE_LIMIT_BUILDS' | 'RATE_LIMIT_CEREMONIES' | 'RATE_LIMIT_KEY_FACTOR'
  >
  readonly pool: OpenDatabase['pool']
  readonly log: Logger
  readonly windowSeconds?: number
}

export function createRateLimits({ env, pool, log, windowSeconds = 60 }: RateLimitOptions): RateLimits {
  const perAddress: Calls = {
    calls: env.RATE_LIMIT_CALLS,
    builds: env.RATE_LIMIT_BUILDS,
    ceremonies: env.RATE_LIMIT_CEREMONIES,
  }
  const countersFor = (kind: Caller['kind'], factor: number) =>
    buckets.map((bucket) => {
      const limit = perAddress[bucket] * factor
      const count = createCounter({ name: `${kind}:${bucket}`, points: limit, windowSeconds, pool, log })
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
