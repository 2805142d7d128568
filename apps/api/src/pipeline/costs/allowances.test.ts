import { expect, test } from 'vitest'
import { createAllowances } from './allowances.ts'

function setUp(size = 1_000, refill = 0.1) {
  const time = { now: 0 }
  const allowances = createAllowances({ clock: () => time.now })
  const holder = (name: string, factor = 1) => ({
    name,
    allowance: { size: size * factor, refill: refill * factor },
  })
  const take = (names: readonly string[], deposit: number) =>
    allowances.take(
      names.map((name) => holder(name)),
      deposit,
    )
  const settled = (names: readonly string[], deposit: number, used: number) => {
    const taken = take(names, deposit)
    if ('wait' in taken) throw new Error(`refused for ${taken.wait} ms`)
    taken.settle(used)
  }
  return { allowances, time, holder, take, settled }
}

test('behavior: deposits limit what starts at once, and what was used replaces them', () => {
  const { take } = setUp()
  const taken = Array.from({ length: 4 }, () => take(['a'], 300))
  expect(taken.map((one) => 'settle' in one)).toEqual([true, true, true, false])
  expect(taken[3]).toMatchObject({ holder: { name: 'a' }, wait: 2_000 })
  for (const one of taken) if ('settle' in one) one.settle(10)
  expect('settle' in take(['a'], 300)).toBe(true)
})

test('behavior: a level drains continuously', () => {
  const { take, settled, time } = setUp()
  settled(['a'], 1, 1_000)
  expect(take(['a'], 1)).toMatchObject({ wait: 10 })
  time.now += 11
  expect('settle' in take(['a'], 1)).toBe(true)
})

test('behavior: a caller of a used-up network is refused, and others are not', () => {
  const { take, settled } = setUp()
  for (let address = 0; address < 4; address++) settled([`a${address}`, 'network'], 1, 250)
  expect(take(['new', 'network'], 1)).toMatchObject({ holder: { name: 'network' } })
  expect('settle' in take(['other', 'another network'], 1)).toBe(true)
})

test('behavior: a call that costs more than its deposit leaves a debt', () => {
  const { take, settled } = setUp()
  settled(['a'], 1, 5_000)
  expect(take(['a'], 1)).toMatchObject({ wait: expect.closeTo(40_010, 0) })
})

test('behavior: a deposit larger than the allowance is possible when nothing is used', () => {
  const { take } = setUp()
  expect('settle' in take(['a'], 9_999)).toBe(true)
  expect('settle' in take(['a'], 1)).toBe(false)
})

test('behavior: levels learn what other processes charged, and forget nothing of their own', () => {
  const { allowances, settled, holder } = setUp()
  settled(['a'], 1, 200)
  expect(allowances.pendingSync()).toMatchObject([{ name: 'a', used: 200 }])
  settled(['a'], 1, 100)
  allowances.learn('a', 700) // 500 elsewhere
  expect(allowances.usedPart(holder('a'), 0)).toBeCloseTo(0.8)
  expect(allowances.pendingSync()).toMatchObject([{ name: 'a', used: 100 }])
})

test('behavior: what could not be shared is shared later', () => {
  const { allowances, settled } = setUp()
  settled(['a'], 1, 200)
  const uses = allowances.pendingSync()
  settled(['a'], 1, 100)
  allowances.keep(uses)
  expect(allowances.pendingSync()).toMatchObject([{ name: 'a', used: 300 }])
})

test('behavior: a call is charged once', () => {
  const { allowances, take, holder } = setUp()
  const taken = take(['a'], 300)
  if ('settle' in taken) for (const used of [100, 200]) taken.settle(used)
  expect(allowances.usedPart(holder('a'), 0)).toBe(0.1)
})

test('behavior: what little an ordinary caller uses is not shared', () => {
  const { allowances, settled } = setUp()
  settled(['a'], 1, 10)
  expect(allowances.pendingSync()).toEqual([])
})

test('behavior: full allowances take no memory, however many callers there are', () => {
  const { allowances, settled, time } = setUp()
  for (let caller = 0; caller < 50_000; caller++) {
    settled([`caller ${caller}`], 1, 10)
    time.now += 1
  }
  expect(allowances.size).toBeLessThan(2_100)
})
