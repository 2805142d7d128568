import { expect, test } from 'vitest'
import { randomBytes, randomInteger, randomPrivateKey } from './random.ts'

test('behavior: no two draws are the same', () => {
  const drawn = Array.from({ length: 100 }, () => randomPrivateKey())
  expect(new Set(drawn).size).toBe(100)
})

test('behavior: returns the requested number of bytes', () => {
  for (const size of [0, 1, 16, 1023]) expect(randomBytes(size)).toHaveLength(size)
})

test('behavior: integers stay below their bound', () => {
  for (let bound = 1; bound < 50; bound++) expect(randomInteger(bound)).toBeLessThan(bound)
})
