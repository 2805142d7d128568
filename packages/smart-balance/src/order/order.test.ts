import { describe, expect, test } from 'vitest'
import { checkOrderBounds, isSponsorship } from './order.ts'

describe('isSponsorship', () => {
  test('default', () => {
    expect(isSponsorship({ claimAmount: 0n, debits: [] })).toBe(true)
  })

  test('behavior: false for an order with a loan or debits', () => {
    expect(isSponsorship({ claimAmount: 1n, debits: [] })).toBe(false)
    expect(isSponsorship({ claimAmount: 0n, debits: [1] })).toBe(false)
    expect(isSponsorship({ claimAmount: 1n, debits: [1] })).toBe(false)
  })
})

describe('checkOrderBounds', () => {
  const debit = (chainId: number, amount: bigint, failFee = 0n) => ({ chainId, amount, failFee })
  const codeOf = (claimAmount: bigint, debits: ReturnType<typeof debit>[]) => {
    const result = checkOrderBounds({ claimAmount, debits })
    return result.ok ? undefined : result.code
  }

  test('default', () => {
    expect(codeOf(0n, [])).toBeUndefined()
    expect(codeOf(199n, [debit(1, 100_000_100n, 100_000_000n), debit(2, 100n)])).toBeUndefined()
  })

  test('error: DEBITS_TOO_HIGH', () => {
    expect(codeOf(199n, [debit(1, 100_000_201n)])).toBe('DEBITS_TOO_HIGH')
  })

  test('error: FAIL_FEES_TOO_HIGH', () => {
    expect(codeOf(200n, [debit(1, 100_000_000n, 100_000_000n), debit(2, 1n, 1n)])).toBe('FAIL_FEES_TOO_HIGH')
  })

  test('error: FAIL_FEE_ABOVE_AMOUNT', () => {
    expect(codeOf(0n, [debit(1, 1n, 2n)])).toBe('FAIL_FEE_ABOVE_AMOUNT')
  })

  test('error: DEBITS_NOT_ASCENDING', () => {
    expect(codeOf(0n, [debit(0, 1n)])).toBe('DEBITS_NOT_ASCENDING')
    expect(codeOf(0n, [debit(1, 1n), debit(1, 1n)])).toBe('DEBITS_NOT_ASCENDING')
    expect(codeOf(0n, [debit(2, 1n), debit(1, 1n)])).toBe('DEBITS_NOT_ASCENDING')
  })
})
