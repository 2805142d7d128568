import type { Allowances } from '../costs/allowances.ts'

export interface Count {
  readonly refused: boolean
  /** Whole points. */
  readonly remaining: number
  /** Whole seconds until all points are there again; of a refusal, until it would be none. */
  readonly reset: number
}

/** Counts points of callers, by their keys. What is refused takes nothing. */
export interface Counter {
  (key: string, points: number): Count
  /**
   * Counts points and refuses only a caller who had none left before: one call may take more than the rest, and the next
   * ones wait until that is refilled, too.
   */
  readonly charge: (key: string, points: number) => Count
  readonly refund: (key: string, points: number) => void
}

interface CounterOptions {
  readonly name: string
  /** What may be used at once, and is refilled evenly within the window. */
  readonly points: number
  readonly windowSeconds: number
}

export function createCounter(
  allowances: Pick<Allowances, 'of'>,
  { name, points, windowSeconds }: CounterOptions,
): Counter {
  const allowance = { size: points, refill: points / (windowSeconds * 1_000) }
  const usageOf = (key: string) => allowances.of({ name: `count:${name}:${key}`, allowance })

  /** @param needed - points that have to be left */
  function take(key: string, taken: number, needed: number): Count {
    const usage = usageOf(key)
    const before = usage.read()
    const refused = before + needed > points
    if (!refused) usage.add(taken)
    // More than all points never fit.
    const until = refused ? before + Math.min(needed, points) - points : before + taken
    return {
      refused,
      remaining: refused ? 0 : Math.max(0, Math.floor(points - before - taken)),
      reset: Math.max(1, Math.ceil(until / allowance.refill / 1_000)),
    }
  }

  return Object.assign((key: string, cost: number) => take(key, cost, cost), {
    charge: (key: string, cost: number) => take(key, cost, 1),
    refund: (key: string, cost: number) => usageOf(key).add(-cost),
  })
}
