import { expect, test } from 'vitest'
import { toTokens, toUnits } from './use-deposits.ts'

const token = (decimals: number) =>
  ({ token: { symbol: 'USDC', decimals, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' } }) as const

test('default', () => {
  expect(toTokens(token(18), 1n)).toBe(10n ** 12n)
  expect(toTokens(token(6), 7n)).toBe(7n)
})

test('behavior: less than a unit cannot be deposited', () => {
  expect(toUnits(token(18), 2n * 10n ** 12n - 1n)).toBe(1n)
  expect(toUnits(token(6), 7n)).toBe(7n)
})
