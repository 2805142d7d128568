/** @module-tag all */
// @promise 10 24 C.12
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createAllowances } from '../costs/allowances.ts'
import { createSharedAllowances } from '../costs/sync-usage.ts'
import { createCounter } from './counter.ts'

const minute = { name: 'calls', points: 3, windowSeconds: 60 }

/** A counter whose clock the test moves. */
function setUp(options = minute) {
  const state = { now: 0 }
  const count = createCounter(createAllowances({ clock: () => state.now }), options)
  return { state, count }
}

test('default: requests count until the limit refuses them', () => {
  const { count } = setUp()
  expect([count('a', 1), count('a', 2), count('a', 1)]).toEqual([
    { refused: false, remaining: 2, reset: 20 },
    { refused: false, remaining: 0, reset: 60 },
    { refused: true, remaining: 0, reset: 20 },
  ])
  expect(count('b', 1)).toMatchObject({ refused: false, remaining: 2 })
})

test('behavior: points are refilled evenly, and what is refused takes none', () => {
  const { count, state } = setUp()
  count('a', 3)
  for (let tries = 0; tries < 100; tries++) expect(count('a', 1).refused).toBe(true)
  state.now += 20_000
  expect([count('a', 1).refused, count('a', 1).refused]).toEqual([false, true])
  state.now += 60_000
  expect(count('a', 3)).toMatchObject({ refused: false, remaining: 0 })
})

test('behavior: more than the limit at once is refused, and says when all points are there', () => {
  const { count } = setUp()
  count('a', 1)
  expect(count('a', 4)).toEqual({ refused: true, remaining: 0, reset: 20 })
})

test('behavior: a charge may go below zero once, and a refund restores it', () => {
  const { count } = setUp()
  count('a', 1)
  expect(count.charge('a', 10)).toMatchObject({ refused: false, remaining: 0 })
  expect(count.charge('a', 1)).toMatchObject({ refused: true, reset: 180 })
  count.refund('a', 10)
  expect(count('a', 1)).toMatchObject({ refused: false, remaining: 1 })
  count.refund('b', 5)
  expect(count('b', 1)).toMatchObject({ remaining: 2 })
})

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: replicas count together, refunds too, and requests cause no statement each',
  async () => {
    await using database = await freshDatabase('postgresql')
    const { pool } = database
    if (!pool) throw new TypeError('It is a PostgreSQL')
    const closing = new AbortController()
    const sharing = { pool, log: pino({ level: 'silent' }), closing: closing.signal }
    const options = { name: 'calls', points: 1_000, windowSeconds: 1e9 }
    const [a, b] = [1, 2].map(() => createCounter(createSharedAllowances(sharing), options))
    const levels = async () => (await pool.query<{ level: number }>('select level from cost_levels')).rows
    for (let requests = 0; requests < 600; requests++) a?.('one', 1)
    await expect.poll(levels).toEqual([{ level: expect.closeTo(600, 3) }])
    for (let requests = 0; requests < 100; requests++) b?.('one', 1)
    await expect.poll(() => b?.('one', 1_000).reset).toBeGreaterThan(600e6)
    a?.refund('one', 500)
    await expect.poll(levels).toEqual([{ level: expect.closeTo(200, 3) }])
    closing.abort()
  },
)

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: without the database each process counts alone and logs this once',
  async () => {
    await using database = await freshDatabase('postgresql')
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const closing = new AbortController()
    const count = createCounter(
      createSharedAllowances({ pool: database.pool, log, closing: closing.signal }),
      minute,
    )
    await database.close()
    expect([count('a', 1), count('a', 2), count('a', 1)].map(({ refused }) => refused)).toEqual([
      false,
      false,
      true,
    ])
    await expect.poll(() => lines).toHaveLength(1)
    await delay(1_100)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the database cannot share what callers cost'])
    closing.abort()
  },
)
