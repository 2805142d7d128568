import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { withTimeout } from '../../platform/timeouts/with-timeout.ts'

/** Milliseconds that the database gets to count a request. */
const storeBound = 1_000

interface CounterOptions {
  /** Of the counter's keys. */
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
  /** Counts so many points for a key. */
  (key: string, points: number): Promise<Count>
  /** Counts them, and refuses only whoever had none left before: one call may take more than there were. */
  readonly charge: (key: string, points: number) => Promise<Count>
  /** Gives points back. */
  readonly refund: (key: string, points: number) => Promise<void>
}

/**
 * A counter of a fixed window: in the database, so that replicas count together, or in memory. While the database
 * does not answer, each process counts for itself with the same limits: neither is the service open to a flood then,
 * nor closed for what needs no database.
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
  // Whoever is refused costs the database nothing more until the window ends.
  const store = pool && new RateLimiterPostgres({ ...stored, inMemoryBlockOnConsumed: points + 1 })
  /** The same counters. What is charged may be refunded, so it blocks nobody in memory. */
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
        log.warn({ err: error }, 'the database does not count requests; this process does by itself')
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
      // Where it does not answer, the window's end gives them back.
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
