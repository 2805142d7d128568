import { expect, test } from 'vitest'
import { isSponsorship } from './isSponsorship.ts'

test('default', () => {
  expect(isSponsorship({ claimAmount: 0n, debits: [] })).toBe(true)
})

test('behavior: who borrows, or owes, has something to claim', () => {
  expect(isSponsorship({ claimAmount: 1n, debits: [] })).toBe(false)
  expect(isSponsorship({ claimAmount: 0n, debits: [1] })).toBe(false)
  expect(isSponsorship({ claimAmount: 1n, debits: [1] })).toBe(false)
})
