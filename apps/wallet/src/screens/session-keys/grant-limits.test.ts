import { parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import { feeHint } from './grant-limits.tsx'

describe('feeHint', () => {
  const eth = { symbol: 'ETH', decimals: 18 }
  const draft = { fees: '0.1', operations: '100' }

  test('default', () => {
    expect(feeHint(draft, eth, parseEther('0.0005'))).toBe(
      '0.001 ETH for each transaction, where one costs up to 0.0005 ETH now.',
    )
  })

  test('behavior: warns if the fee is too low', () => {
    expect(feeHint(draft, eth, parseEther('0.002'))).toBe(
      'Only 0.001 ETH for each transaction; one costs up to 0.002 ETH now.',
    )
  })

  test('behavior: omits the comparison if there is none', () => {
    expect(feeHint(draft, eth)).toBe('0.001 ETH for each transaction.')
    expect(feeHint({ ...draft, operations: 'many' }, eth, 1n)).toBe('Shared evenly among the transactions.')
  })
})
