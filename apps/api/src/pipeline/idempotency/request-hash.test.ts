// @promise 2
import { expect, test } from 'vitest'
import { hashRequest } from './idempotently.ts'

test('default: the hash is 64 hex digits', () => {
  expect(hashRequest({ a: 1 })).toMatch(/^[0-9a-f]{64}$/)
})

test('behavior: the order of members and absent members do not change the hash', () => {
  const one = hashRequest({ a: { x: 1, y: [1n, 2n] }, b: undefined })
  expect(hashRequest({ a: { y: [1n, 2n], x: 1 } })).toBe(one)
})

test('behavior: every value and the order of items change the hash', () => {
  const variants = [{ a: [1n, 2n] }, { a: [2n, 1n] }, { a: [1n, 2n ** 255n] }, { a: '1' }, { a: 1 }, {}]
  expect(new Set(variants.map(hashRequest)).size).toBe(variants.length)
})
