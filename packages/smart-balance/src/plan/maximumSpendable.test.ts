import { expect, test } from 'vitest'
import { maximumSpendable } from './maximumSpendable.ts'

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

test('behavior: who cannot lend lets the own deposit be spent', () => {
  expect(maximumSpendable({ ...input, lendable: 0n })).toBe(30n)
  expect(maximumSpendable({ ...input, lendable: -20n })).toBe(30n)
})

test('behavior: nothing, where the fees are above what SmartBalance takes', () => {
  const terms = { ...input.terms, operationFee: 200_000_000n }
  expect(maximumSpendable({ ...input, deposits: [{ network: 2, available: 10n ** 12n }], terms })).toBe(0n)
})
