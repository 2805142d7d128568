import { describe, expect, test } from 'vitest'
import { type RecomputeQuoteParameters, recomputeQuote } from './recompute-quote.ts'

const requested: RecomputeQuoteParameters = {
  request: { outputNetwork: 'eip155:31337', amount: '100' },
  terms: {
    basisPoints: 100,
    operationFee: '5',
    settlementFees: { '31338': '2', '31339': '2' },
    lendable: '1000',
    deposits: [
      { network: 31337, available: '30' },
      { network: 31338, available: '40' },
      { network: 31339, available: '200' },
    ],
  },
}

describe('recomputeQuote', () => {
  test('default', () => {
    expect(recomputeQuote(requested)).toMatchObject({
      ok: true,
      plan: { amount: 100n, fee: 8n, debits: [{ network: 31339, amount: 78n, failFee: 5n }] },
    })
  })

  test('args: type, limit', () => {
    const request = { ...requested.request, type: 'AMOUNT_IN', amount: 108, limit: '101' } as const
    expect(recomputeQuote({ ...requested, request })).toEqual({ ok: false, problem: 'LIMIT', passes: 100n })
  })

  test.each([
    [{ lendable: '-1' }, 'terms.lendable'],
    [{ operationFee: '' }, 'terms.operationFee'],
    [{ settlementFees: { '31338': '0x1' } }, 'terms.settlementFees.31338'],
    [{ deposits: [{ network: 31337, available: '1.5' }] }, 'terms.deposits.0.available'],
  ])('error: %o', (changed, field) => {
    const terms = { ...requested.terms, ...changed }
    expect(() => recomputeQuote({ ...requested, terms })).toThrow(expect.objectContaining({ field }))
  })
})
