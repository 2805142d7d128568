import { expect, test } from 'vitest'
import { hashRequest } from './request-hash.ts'

test('default', () => {
  expect(hashRequest({ a: 1 })).toMatch(/^[0-9a-f]{64}$/)
})

test('behavior: the order of members and absent ones do not count', () => {
  const one = hashRequest({ a: { x: 1, y: [1n, 2n] }, b: undefined })
  expect(hashRequest({ a: { y: [1n, 2n], x: 1 } })).toBe(one)
})

test('behavior: every value counts, and so does the order of items', () => {
  const variants = [{ a: [1n, 2n] }, { a: [2n, 1n] }, { a: [1n, 2n ** 255n] }, { a: '1' }, { a: 1 }, {}]
  expect(new Set(variants.map(hashRequest)).size).toBe(variants.length)
})
