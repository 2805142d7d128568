import { describe, expect, test } from 'vitest'
import { createAdaptiveLimit } from './endpoint-state.ts'

/**
 * A node whose processors are shared by what runs, in milliseconds of a clock that stands still otherwise. A usual request
 * takes ten milliseconds of one processor.
 */
function setUp({ processors, ceiling = 90 }: { readonly processors: number; readonly ceiling?: number }) {
  let now = 0
  const limit = createAdaptiveLimit({ floor: 2, ceiling }, () => now)
  const run = (cost: number, { isBinding = true, hasFailed = false, rounds = 50, factor = 1 } = {}) => {
    for (let round = 0; round < rounds; round++) {
      const count = Math.max(1, Math.floor(limit.current))
      const elapsed = 10 * factor * cost * Math.max(1, count / processors)
      now += elapsed
      for (let left = count; left > 0; left--) limit.ended({ cost, elapsed, isBinding, hasFailed })
    }
    return limit.current
  }
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  return { limit, run, wait }
}

describe('adaptiveLimit', () => {
  test('behavior: a node of one processor gets few requests, one of 32 gets many', () => {
    expect(setUp({ processors: 1 }).run(1)).toBeLessThanOrEqual(5)
    expect(setUp({ processors: 32 }).run(1)).toBeGreaterThan(20)
  })

  test('behavior: it doubles until answers take longer, and grows no further than the ceiling', () => {
    const { run } = setUp({ processors: 1_000 })
    expect([2, 1, 1].map((rounds) => run(1, { rounds }))).toEqual([4, 8, 16])
    expect(run(1)).toBe(90)
  })

  test('behavior: expensive requests are no sign of load', () => {
    const { run } = setUp({ processors: 16 })
    const before = run(1)
    expect(run(8)).toBeGreaterThanOrEqual(before)
  })

  test('behavior: expensive requests that come while many are sent are compared with cheap ones', () => {
    const { run } = setUp({ processors: 1, ceiling: 90 })
    run(0.1, { rounds: 5 })
    expect(run(8)).toBeLessThanOrEqual(5)
  })

  test('behavior: below one, it falls to its floor while answers take longer, and doubles afterwards', () => {
    let now = 0
    const limit = createAdaptiveLimit({ floor: 0.25, ceiling: 90, maxSlowness: 1.5 }, () => now)
    const answer = (elapsed: number) => {
      for (let count = 0; count < 4; count++)
        limit.ended({ cost: 1, elapsed, isBinding: true, hasFailed: false })
      return limit.current
    }
    answer(10)
    while (answer(30) > 0.25) now++
    expect([answer(10), answer(10), answer(10)]).toEqual([0.5, 1, 2])
  })

  test('behavior: the limit does not creep up under a load that lasts', () => {
    const { run } = setUp({ processors: 1 })
    expect(run(1, { rounds: 10_000 })).toBeLessThanOrEqual(5)
  })

  test('behavior: while nothing waits it stays, and a node that becomes slower gets less', () => {
    const { limit, run } = setUp({ processors: 32 })
    const before = run(1)
    expect(run(1, { isBinding: false })).toBeLessThanOrEqual(before)
    for (let count = 0; count < 500; count++)
      limit.ended({ cost: 1, elapsed: 5_000, isBinding: true, hasFailed: count % 2 === 0 })
    expect(limit.current).toBe(2)
  })

  test('behavior: a fast error says nothing about how fast the node answers', () => {
    const { limit, run } = setUp({ processors: 32 })
    for (let count = 0; count < 50; count++)
      limit.ended({ cost: 1, elapsed: 0, isBinding: false, hasFailed: true })
    expect(run(1)).toBeGreaterThan(20)
  })

  test('behavior: a node that answers more slowly for another reason is soon the usual one', () => {
    const { run, wait } = setUp({ processors: 32 })
    run(1)
    expect(run(1, { factor: 10, rounds: 10 })).toBe(2)
    wait(10_000)
    expect(run(1, { factor: 10 })).toBeGreaterThan(20)
  })

  test('default: an endpoint with room for one request gets one', () => {
    expect(setUp({ processors: 8, ceiling: 1 }).run(1)).toBe(1)
  })
})
