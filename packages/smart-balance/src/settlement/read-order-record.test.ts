import { expect, test } from 'vitest'
import { readOrderRecord } from './read-order-record.ts'

const orderHash = `0x${'ff'.repeat(17)}${'5a'.repeat(15)}` as const
const order = BigInt(`0x${'5a'.repeat(15)}`)

test.each([
  [1, 'claimed'],
  [2, 'failed'],
  [3, 'unfunded'],
] as const)('outcome %i is %s', (value, outcome) => {
  expect(readOrderRecord([value, 7n, order], orderHash)).toEqual({ outcome, amount: 7n })
})

test('behavior: no outcome if another order used the nonce', () => {
  expect(readOrderRecord([1, 7n, order + 1n], orderHash)).toEqual({ outcome: undefined, amount: 0n })
})

test('behavior: no outcome without a record', () => {
  expect(readOrderRecord([0, 0n, 0n], orderHash)).toEqual({ outcome: undefined, amount: 0n })
})
