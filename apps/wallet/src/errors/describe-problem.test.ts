import { describe, expect, test } from 'vitest'
import { describeProblem } from './describe-problem.ts'

const unit = { symbol: 'USDC', decimals: 6 }

describe('describeProblem', () => {
  test('default', () => {
    expect(describeProblem({ problem: 'INSUFFICIENT_FUNDS', largest: 12_500_000n }, unit)).toEqual({
      title: 'Your combined balance does not cover this and its fee.',
      advice: 'You can send up to 12.5 USDC. For more, deposit first.',
      instead: 12_500_000n,
    })
  })

  test('behavior: offers no alternative if there is none', () => {
    for (const problem of [
      { problem: 'INSUFFICIENT_FUNDS', largest: 0n },
      { problem: 'INSUFFICIENT_LIQUIDITY', lendable: 0n, largest: 0n },
      { problem: 'FEE_TOO_HIGH', fee: 2_000_000n, debits: 1n, highest: 1n },
    ] as const)
      expect(describeProblem(problem, unit).instead).toBeUndefined()
  })

  test('behavior: the amount that the operator can lend is not the amount that the person can afford', () => {
    const text = describeProblem(
      { problem: 'INSUFFICIENT_LIQUIDITY', lendable: 7_000_000n, largest: 9_000_000n },
      unit,
    )
    expect(text.title).toContain('only 7 USDC')
    expect(text.instead).toBe(9_000_000n)
  })
})
