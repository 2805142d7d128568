import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { within } from '../within.ts'

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

/** Counts so many points for a key. */
export type Counter = (key: string, points: number) => Promise<Count>

/**
 * A counter of a fixed window: in the database, so that replicas count together, or in memory. While the database
 * does not answer, each process counts for itself with the same limits: neither is the service open to a flood then,
 * nor closed for what needs no database.
 */
export function createCounter({ name, points, windowSeconds, pool, log }: CounterOptions): Counter {
  const options = { keyPrefix: name, points, duration: windowSeconds }
  const memory = new RateLimiterMemory(options)
  const store =
    pool &&
    new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true, // by a migration
      // Whoever is refused costs the database nothing more until the window ends.
      inMemoryBlockOnConsumed: points + 1,
    })
  let failing = false

  async function consume(key: string, cost: number): Promise<RateLimiterRes> {
    if (!store) return memory.consume(key, cost)
    try {
      const result = await within(storeBound, store.consume(key, cost))
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

  return async (key, cost) => {
    try {
      return toCount(false, await consume(key, cost))
    } catch (error) {
      if (error instanceof RateLimiterRes) return toCount(true, error)
      throw error
    }
  }
}

const toCount = (refused: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Count => ({
  refused,
  remaining: refused ? 0 : remainingPoints,
  reset: Math.max(1, Math.ceil(msBeforeNext / 1000)),
})
