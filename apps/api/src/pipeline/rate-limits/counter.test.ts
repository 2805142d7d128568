/** @module-tag all */
// @promise 10

import { setTimeout as delay } from 'node:timers/promises'
import type { OpenDatabase } from '@lanyard/database'
import { describeEachEngine, freshDatabase, testEngines } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { type Count, createCounter } from './counter.ts'
import { createCounterStore } from './counter-store.ts'

const silent = pino({ level: 'silent' })
const options = { name: 'calls', points: 3, windowSeconds: 60, log: silent }
const storeOf = ({ pool }: Pick<OpenDatabase, 'pool'>) => pool && createCounterStore(pool)
const rejected = ({ refused: is }: Count) => is

/** PGlite has no pool, so the counter is in memory there. */
describeEachEngine('createCounter', (engine) => {
  test('default: requests count until the limit refuses them', async () => {
    await using database = await freshDatabase(engine)
    const count = createCounter({ ...options, store: storeOf(database) })
    const counts = [await count('a', 1), await count('a', 2), await count('a', 1)]
    expect(counts).toMatchObject([
      { refused: false, remaining: 2 },
      { refused: false, remaining: 0 },
      { refused: true, remaining: 0 },
    ])
    for (const { reset } of counts) {
      expect(reset).toBeGreaterThan(0)
      expect(reset).toBeLessThanOrEqual(60)
    }
    expect(await count('b', 1)).toMatchObject({ refused: false, remaining: 2 })
  })

  test('behavior: concurrent requests get no more than the limit', async () => {
    await using database = await freshDatabase(engine)
    const count = createCounter({ ...options, store: storeOf(database) })
    const counts = await Promise.all(Array.from({ length: 20 }, () => count('a', 1)))
    expect(counts.filter(rejected)).toHaveLength(17)
  })

  test('behavior: a charge may go below zero once, and a refund restores it', async () => {
    await using database = await freshDatabase(engine)
    const count = createCounter({ ...options, store: storeOf(database) })
    await count('a', 1)
    expect(rejected(await count.charge('a', 10))).toBe(false)
    expect(rejected(await count.charge('a', 1))).toBe(true)
    await count.refund('a', 11)
    expect(await count('a', 1)).toMatchObject({ refused: false, remaining: 1 })
    // Two concurrent charges: one of them goes below zero.
    const charges = await Promise.all([count.charge('b', 5), count.charge('b', 5)])
    expect(charges.filter(rejected)).toHaveLength(1)
  })

  test('behavior: the budget is full again after the window ends', async () => {
    await using database = await freshDatabase(engine)
    const count = createCounter({ ...options, windowSeconds: 1, store: storeOf(database) })
    expect(await count('a', 4)).toMatchObject({ refused: true, reset: 1 })
    await delay(1_050)
    expect(await count('a', 1)).toMatchObject({ refused: false, remaining: 2 })
  })

  test('behavior: points of a window that has ended come back to none', async () => {
    await using database = await freshDatabase(engine)
    const count = createCounter({ ...options, windowSeconds: 1, store: storeOf(database) })
    await Promise.all(['a', 'b'].map((key) => count.charge(key, 3)))
    await delay(1_050)
    await count.refund('a', 3)
    expect(await count('a', 1)).toMatchObject({ remaining: 2 })
    await Promise.all([count.refund('b', 3), count('b', 1)])
    expect(await count('b', 1)).toMatchObject({ remaining: 1 })
  })
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: calls of one caller that arrive together take one connection, in the order of their arrival',
  async () => {
    await using database = await freshDatabase('postgresql')
    const { pool } = database
    if (!pool) throw new TypeError('It is a PostgreSQL')
    const query = vi.spyOn(pool, 'query')
    const count = createCounter({ ...options, points: 50, store: createCounterStore(pool) })
    const counts = await Promise.all(Array.from({ length: 64 }, () => count('a', 1)))
    expect(counts.map(({ remaining }) => remaining)).toEqual(
      Array.from({ length: 64 }, (_, index) => Math.max(0, 49 - index)),
    )
    expect(counts.map(rejected)).toEqual(Array.from({ length: 64 }, (_, index) => index >= 50))
    expect(query.mock.calls.length).toBeLessThanOrEqual(2)
    expect(await count('b', 1)).toMatchObject({ refused: false, remaining: 49 })
  },
)

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: calls of many callers in several counters take one connection, and each is counted',
  async () => {
    await using database = await freshDatabase('postgresql')
    const { pool } = database
    if (!pool) throw new TypeError('It is a PostgreSQL')
    const query = vi.spyOn(pool, 'query')
    const store = createCounterStore(pool)
    const counters = ['calls', 'builds'].map((name) => createCounter({ ...options, name, store }))
    const callers = Array.from({ length: 250 }, (_, index) => `address ${index}`)
    const countAll = () => Promise.all(callers.flatMap((caller) => counters.map((count) => count(caller, 2))))
    expect((await countAll()).every((count) => !count.refused && count.remaining === 1)).toBe(true)
    expect((await countAll()).every(rejected)).toBe(true)
    expect(query).toHaveBeenCalledTimes(2)
    // Whoever is refused causes no statement until the window ends.
    expect((await countAll()).every(rejected)).toBe(true)
    expect(query).toHaveBeenCalledTimes(2)
  },
)

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: two replicas that count many callers at once let through what the limit says, and wait for no lock of each other',
  async () => {
    await using database = await freshDatabase('postgresql')
    const replicas = [1, 2].map(() => createCounter({ ...options, points: 600, store: storeOf(database) }))
    const callers = Array.from({ length: 20 }, (_, index) => `address ${index}`)
    const counts = await Promise.all(
      Array.from({ length: 35 }, () =>
        replicas.flatMap((count, replica) =>
          (replica === 0 ? callers : callers.toReversed()).map(async (caller) => ({
            caller,
            ...(await count(caller, 10)),
          })),
        ),
      ).flat(),
    )
    for (const caller of callers)
      expect(counts.filter((count) => count.caller === caller && !count.refused)).toHaveLength(60)
  },
)

test.skipIf(!testEngines().includes('postgresql'))('behavior: replicas count together', async () => {
  await using database = await freshDatabase('postgresql')
  const replicas = [1, 2].map(() => createCounter({ ...options, store: storeOf(database) }))
  const counts = await Promise.all(replicas.flatMap((count) => [count('a', 1), count('a', 1)]))
  expect(counts.filter(rejected)).toHaveLength(1)
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: without the database each process counts alone and logs this once',
  async () => {
    await using database = await freshDatabase('postgresql')
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const count = createCounter({ ...options, store: storeOf(database), log })
    await database.close()
    const counts = [await count('a', 1), await count('a', 2), await count('a', 1)]
    expect(counts.map(rejected)).toEqual([false, false, true])
    expect(lines.filter((line) => line.includes('cannot count requests'))).toHaveLength(1)
  },
)
