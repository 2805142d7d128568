import { expect, test } from 'vitest'
import { competingTips, type WaitingTransaction } from '../src/market/market.ts'

const gwei = 1_000_000_000n
const full = 9_900_000n
const waiting = (tip: bigint, rest: Partial<WaitingTransaction> = {}): WaitingTransaction => ({
  ...{ cap: 100n * gwei, tip, gas: 300_000n },
  ...rest,
})
const tipsBeside = (...own: WaitingTransaction[]) => competingTips(full, own, 10n * gwei)

test('behavior: the highest tips fill a block', () => {
  expect(tipsBeside()).toEqual([3n * gwei, gwei, gwei / 10n])
  expect(tipsBeside(waiting(gwei / 2n))).toEqual([3n * gwei, gwei])
  expect(tipsBeside(waiting(gwei / 20n))).toEqual([3n * gwei, gwei, gwei / 10n])
})

test('behavior: a transaction is not before an earlier one of its sender', () => {
  expect(tipsBeside(waiting(gwei / 20n), waiting(5n * gwei))).toEqual([3n * gwei, gwei, gwei / 10n])
})

test('behavior: a cap below the base fee pays nobody', () => {
  expect(tipsBeside(waiting(5n * gwei, { cap: 9n * gwei }))).toEqual([3n * gwei, gwei, gwei / 10n])
})

test('behavior: a tip is at most what the cap leaves above the base fee', () => {
  expect(tipsBeside(waiting(5n * gwei, { cap: 10n * gwei + gwei / 20n }))).toHaveLength(3)
})
