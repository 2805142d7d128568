import { expect, test } from 'vitest'
import { maximumSpendable } from './maximum-spendable.ts'
import { planOrder } from './plan-order.ts'

const input = {
  outputNetwork: 1,
  deposits: [
    { network: 1, available: 30n },
    { network: 2, available: 40n },
  ],
  lendable: 1_000n,
  terms: { basisPoints: 0, operationFee: 5n, settlementFees: { 2: 2n } },
}

test('default', () => {
  expect(maximumSpendable(input)).toBe(63n)
})

test('behavior: without liquidity, the deposit on the output network can be spent', () => {
  expect(maximumSpendable({ ...input, lendable: 0n })).toBe(30n)
  expect(maximumSpendable({ ...input, lendable: -20n })).toBe(30n)
})

test('args: type AMOUNT_IN; includes a last unit that buys no larger amount', () => {
  const terms = { ...input.terms, basisPoints: 5_000 }
  // 38 arrive: 30 from the deposit on their own network and 8 lent at 50 %, plus two fees; 39 would cost 51.
  const deposits = [
    { network: 1, available: 30n },
    { network: 2, available: 20n },
  ]
  const given = { ...input, terms, deposits }
  expect(planOrder({ ...given, type: 'AMOUNT_OUT', amount: maximumSpendable(given) })).toMatchObject({
    plan: { total: 49n },
  })
  expect(maximumSpendable(given, 'AMOUNT_IN')).toBe(50n)
  expect(planOrder({ ...given, type: 'AMOUNT_IN', amount: 50n })).toMatchObject({ plan: { total: 50n } })
})

test("behavior: zero if the fees exceed SmartBalance's maximum", () => {
  const terms = { ...input.terms, operationFee: 200_000_000n }
  expect(maximumSpendable({ ...input, deposits: [{ network: 2, available: 10n ** 12n }], terms })).toBe(0n)
})
