import type { Logger } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { RecentMap } from '../../platform/recent-map.ts'
import { withTimeout } from '../../platform/timeouts.ts'
import { type Counted, type CounterStore, storeTimeout } from './counter-store.ts'

/** Callers who are refused without a statement until their window ends. */
const rememberedRefusals = 4_096

interface CounterOptions {
  /** Prefix of the counter's keys. */
  readonly name: string
  readonly points: number
  readonly windowSeconds: number
  /** Absent: counted in this process. */
  readonly store: CounterStore | undefined
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
export function createCounter({ name, points, windowSeconds, store, log }: CounterOptions): Counter {
  const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds })
  /** When the windows of those end who used all of theirs. Points that are charged may come back, so they reject no caller here. */
  const refusedUntil = new RecentMap<string, number>(rememberedRefusals)
  let failing = false

  async function addHere(key: string, cost: number): Promise<Counted> {
    const { consumedPoints, msBeforeNext } = await memory.penalty(key, cost)
    return { consumed: consumedPoints, left: msBeforeNext }
  }

  /** At most the points of this window. */
  async function refundHere(key: string, cost: number): Promise<void> {
    const counted = await memory.get(key)
    if (counted) await memory.reward(key, Math.min(cost, counted.consumedPoints))
  }

  async function add(key: string, cost: number): Promise<Counted> {
    if (!store) return addHere(key, cost)
    try {
      const counted = await withTimeout(storeTimeout, store.add(`${name}:${key}`, cost, windowSeconds))
      failing = false
      return counted
    } catch (error) {
      if (!failing)
        log.warn({ err: error }, 'the database cannot count requests, so this process counts its own')
      failing = true
      return addHere(key, cost)
    }
  }

  const count = async (key: string, cost: number) => {
    const left = (refusedUntil.get(key) ?? 0) - performance.now()
    if (left > 0) return toCount(true, 0, left)
    const counted = await add(key, cost)
    const refused = counted.consumed > points
    if (refused && store && !failing) refusedUntil.set(key, performance.now() + counted.left)
    return toCount(refused, points - counted.consumed, counted.left)
  }
  return Object.assign(count, {
    async charge(key: string, cost: number) {
      const { consumed, left } = await add(key, cost)
      return toCount(consumed - cost >= points, points - consumed, left)
    },
    async refund(key: string, cost: number) {
      refusedUntil.set(key, 0)
      if (!store || failing) await refundHere(key, cost)
      // If the database does not answer, the points come back when the window ends.
      else await store.refund(`${name}:${key}`, cost).catch(() => {})
    },
  })
}

const toCount = (refused: boolean, remaining: number, left: number): Count => ({
  refused,
  remaining: refused ? 0 : Math.max(0, remaining),
  reset: Math.max(1, Math.ceil(left / 1000)),
})
