import { describe, expect, test } from 'vitest'
import { isPlausible, withMarkup } from './token-fee.ts'

test('withMarkup: rounded up, in favour of the operator', () => {
  expect(withMarkup(2_500_000_000n, { markup: 5 })).toBe(2_625_000_000n)
  expect(withMarkup(2_500_000_000n, { markup: 0 })).toBe(2_500_000_000n)
  expect(withMarkup(1n, { markup: 0.01 })).toBe(2n)
})

describe('isPlausible', () => {
  const charge = { token: 'USDC', markup: 0, price: { min: '1000', max: '3000.5' } }

  test('default: the bounds themselves are plausible, in units of the token', () => {
    expect(isPlausible(charge, 6, 1_000_000_000n)).toBe(true)
    expect(isPlausible(charge, 6, 3_000_500_000n)).toBe(true)
    expect(isPlausible(charge, 18, 2_000n * 10n ** 18n)).toBe(true)
  })

  test('behavior: a source that lies takes or gives nothing', () => {
    expect(isPlausible(charge, 6, 999_999_999n)).toBe(false)
    expect(isPlausible(charge, 6, 3_000_500_001n)).toBe(false)
    expect(isPlausible(charge, 6, 0n)).toBe(false)
  })

  test('behavior: without bounds every price counts', () => {
    expect(isPlausible({ token: 'USDC', markup: 0 }, 6, 1n)).toBe(true)
  })
})
