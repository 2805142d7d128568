import { planOrder } from '@lanyard/smart-balance'
import { describe, expect, test } from 'vitest'
import { checkQuote } from './quote.ts'

const planned = planOrder({
  outputNetwork: 3,
  amount: 250_000_000n,
  type: 'AMOUNT_OUT',
  lendable: 1_000_000_000n,
  terms: { basisPoints: 10, operationFee: 50_000n, settlementFees: { 1: 20_000n, 2: 30_000n } },
  deposits: [1, 2, 3].map((network) => ({ network, available: 100_000_000n })),
})
if (!planned.ok) throw new TypeError(planned.problem)
const { plan } = planned

describe('checkQuote', () => {
  test('default', () => {
    // 10 basis points of the borrowed 150, the operation, and two settlements.
    const fee = 150_000n + 50_000n + 20_000n + 30_000n
    expect(() => checkQuote(plan, { amount: 250_000_000n, fee, total: 250_000_000n + fee })).not.toThrow()
  })

  test.each(['amount', 'fee', 'total'] as const)('error: QUOTE_DIFFERS by one unit of %s', (field) => {
    expect(() => checkQuote(plan, { ...plan, [field]: plan[field] + 1n })).toThrow(
      expect.objectContaining({ code: 'QUOTE_DIFFERS' }),
    )
  })
})
