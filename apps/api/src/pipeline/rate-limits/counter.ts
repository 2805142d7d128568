import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { withTimeout } from '../../platform/timeouts.ts'

/** Milliseconds that the database has to count a request. */
const storeTimeout = 1_000

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

  async function consume(limiter: typeof store, key: string, cost: number): Promise<Consumed> {
    if (!limiter) return consumed(memory.consume(key, cost))
    try {
      const result = await withTimeout(storeTimeout, consumed(limiter.consume(key, cost)))
      failing = false
      return result
    } catch (error) {
      if (!failing)
        log.warn({ err: error }, 'the database cannot count requests, so this process counts its own')
      failing = true
      return consumed(memory.consume(key, cost))
    }
  }

  const consumeTogether = addUp((key, cost) => consume(store, key, cost))
  const count = async (key: string, cost: number) => {
    const { after, isOver, result } = await consumeTogether(key, cost)
    const consumedPoints = result.consumedPoints - after
    // A caller that is refused in memory has no figure.
    const rejected = isOver && (result.consumedPoints === 0 || consumedPoints > points)
    return toCount(rejected, points - consumedPoints, result)
  }
  return Object.assign(count, {
    async charge(key: string, cost: number) {
      const { result } = await consume(charging, key, cost)
      return toCount(result.consumedPoints - cost >= points, result.remainingPoints, result)
    },
    async refund(key: string, cost: number) {
      if (!charging || failing) await memory.reward(key, cost)
      // If the database does not answer, the points come back when the window ends.
      else await withTimeout(storeTimeout, charging.reward(key, cost)).catch(() => {})
    },
  })
}

interface Consumed {
  readonly isOver: boolean
  readonly result: RateLimiterRes
}

/** The limiter rejects with the same kind of result that it resolves with. */
async function consumed(consuming: Promise<RateLimiterRes>): Promise<Consumed> {
  try {
    return { isOver: false, result: await consuming }
  } catch (error) {
    if (error instanceof RateLimiterRes) return { isOver: true, result: error }
    throw error
  }
}

interface Sum {
  cost: number
  readonly consuming: Promise<Consumed>
}

/**
 * Consumes the points of a key one statement at a time: those that are asked for meanwhile are added up. All
 * of a key's statements change one row, so that many at once would only wait for each other, each with a
 * connection that others need.
 *
 * @returns a function whose result says which points of its sum came `after` the given ones
 */
function addUp(consume: (key: string, cost: number) => Promise<Consumed>) {
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Sum>()

  function begin(key: string): Sum {
    const start = () => {
      waiting.delete(key)
      const consuming = consume(key, sum.cost)
      running.set(key, consuming)
      const end = () => {
        if (running.get(key) === consuming) running.delete(key)
      }
      consuming.then(end, end)
      return consuming
    }
    const previous = running.get(key)
    const sum: Sum = { cost: 0, consuming: (previous ?? Promise.resolve()).then(start, start) }
    waiting.set(key, sum)
    return sum
  }

  return async (key: string, cost: number): Promise<Consumed & { readonly after: number }> => {
    const sum = waiting.get(key) ?? begin(key)
    sum.cost += cost
    const position = sum.cost
    const done = await sum.consuming
    return { ...done, after: sum.cost - position }
  }
}

const toCount = (refused: boolean, remaining: number, { msBeforeNext }: RateLimiterRes): Count => ({
  refused,
  remaining: refused ? 0 : Math.max(0, remaining),
  reset: Math.max(1, Math.ceil(msBeforeNext / 1000)),
})
