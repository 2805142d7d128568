import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { withTimeout } from '../../platform/timeouts/with-timeout.ts'

/** Milliseconds that the database has to count a request. */
const storeBound = 1_000

interface CounterOptions {
  /** Prefix of the counter's keys. */
  readonly name: string
  readonly points: number
  readonly windowSeconds: number
  /** Absent: counted in this process. */
  readonly pool: OpenDatabase['pool']
  readonly log: Logger
}

export interface Count {
  readonly refused: boolean
  readonly remaining: number
  /** Whole seconds until the window ends. */
  readonly reset: number
}

export interface Counter {
  /** Counts this many points for a key. */
  (key: string, points: number): Promise<Count>
  /**
   * Counts points and rejects only a caller who had none left before: one call may take more than the rest.
   */
  readonly charge: (key: string, points: number) => Promise<Count>
  /** Refunds points. */
  readonly refund: (key: string, points: number) => Promise<void>
}

/**
 * A counter with a fixed window: in the database, so that replicas count together, or in memory. While the
 * database does not answer, each process counts on its own with the same limits. The service is then neither
 * open to a flood nor closed for requests that need no database.
 */
export function createCounter({ name, points, windowSeconds, pool, log }: CounterOptions): Counter {
  const options = { keyPrefix: name, points, duration: windowSeconds }
  const memory = new RateLimiterMemory(options)
  const stored = {
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true, // by a migration
  }
  // A rejected caller causes no further database load until the window ends.
  const store = pool && new RateLimiterPostgres({ ...stored, inMemoryBlockOnConsumed: points + 1 })
  /** The same counters. Charges may be refunded, so they do not block anyone in memory. */
  const charging = pool && new RateLimiterPostgres({ ...stored, clearExpiredByTimeout: false })
  let failing = false

  async function consume(limiter: typeof store, key: string, cost: number): Promise<RateLimiterRes> {
    if (!limiter) return memory.consume(key, cost)
    try {
      const result = await withTimeout(storeBound, limiter.consume(key, cost))
      failing = false
      return result
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error
      if (!failing)
        log.warn({ err: error }, 'the database cannot count requests, so this process counts its own')
      failing = true
      return memory.consume(key, cost)
    }
  }

  const count = async (key: string, cost: number) => {
    const { isOver, result } = await consumed(consume(store, key, cost))
    return toCount(isOver, result)
  }
  return Object.assign(count, {
    async charge(key: string, cost: number) {
      const { result } = await consumed(consume(charging, key, cost))
      return toCount(result.consumedPoints - cost >= points, result)
    },
    async refund(key: string, cost: number) {
      if (!charging || failing) await memory.reward(key, cost)
      // If the database does not answer, the points come back when the window ends.
      else await withTimeout(storeBound, charging.reward(key, cost)).catch(() => {})
    },
  })
}

/** The limiter rejects with the same kind of result that it resolves with. */
async function consumed(consuming: Promise<RateLimiterRes>) {
  try {
    return { isOver: false, result: await consuming }
  } catch (error) {
    if (error instanceof RateLimiterRes) return { isOver: true, result: error }
    throw error
  }
}

const toCount = (refused: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Count => ({
  refused,
  remaining: refused ? 0 : remainingPoints,
  reset: Math.max(1, Math.ceil(msBeforeNext / 1000)),
})
