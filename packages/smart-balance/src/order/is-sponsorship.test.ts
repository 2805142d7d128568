import { expect, test } from 'vitest'
import { isSponsorship } from './is-sponsorship.ts'

test('default', () => {
  expect(isSponsorship({ claimAmount: 0n, debits: [] })).toBe(true)
})

test('behavior: false for an order with a loan or debits', () => {
  expect(isSponsorship({ claimAmount: 1n, debits: [] })).toBe(false)
  expect(isSponsorship({ claimAmount: 0n, debits: [1] })).toBe(false)
  expect(isSponsorship({ claimAmount: 1n, debits: [1] })).toBe(false)
})
