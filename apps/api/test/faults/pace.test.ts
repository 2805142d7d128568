import { expect, test } from 'vitest'
import { greatestSlowdown } from './pace.ts'

test('default: compares the medians of the kind that slowed down most', () => {
  const before = new Map([
    ['build', [50, 40, 60]],
    ['submit', [400, 300, 500]],
  ])
  const now = new Map([
    ['build', [1_060, 1_060, 20]],
    ['submit', [900, 900, 900]],
  ])
  expect(greatestSlowdown(before, now)).toBeCloseTo(21.2)
})
