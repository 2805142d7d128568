import { expect, test } from 'vitest'
import { greatestSlowdown, slowedDown } from './pace.ts'

const before = new Map([
  ['build', [50, 40, 60]],
  ['submit', [400, 300, 500]],
])

test('behavior: tenfold and a second longer is slow', () => {
  const now = new Map([['build', [1_060, 1_060, 20]]])
  expect(slowedDown(before, now)).toEqual(['build: 1060 ms, 50 ms before'])
  expect(greatestSlowdown(before, now)).toBeCloseTo(21.2)
})

test('behavior: what a busy machine explains is not: one late answer, tenfold of little, a second on top of much', () => {
  expect(slowedDown(before, new Map([['build', [60, 5_000, 60]]]))).toEqual([])
  expect(slowedDown(before, new Map([['build', [900, 900, 900]]]))).toEqual([])
  expect(slowedDown(before, new Map([['submit', [1_900, 1_900, 1_900]]]))).toEqual([])
})
