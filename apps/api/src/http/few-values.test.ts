import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { hasFewValues, maxValues } from './read-request.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

test.each([
  ['empty arrays', Array(maxValues).fill([])],
  ['empty objects', Array(maxValues).fill({})],
  ['numbers', Array(maxValues + 1).fill(1)],
  ['members', Object.fromEntries(Array.from({ length: maxValues + 1 }, (_, index) => [index, 0]))],
  ['texts', Array(maxValues + 1).fill('')],
])('behavior: too many %s', (_name, value) => {
  expect(hasFewValues(bytes(value))).toBe(false)
})

test.each([[' '], ['9'], ['\n']])('behavior: bytes outside of texts are few: %j', (byte) => {
  const body = (count: number) => new TextEncoder().encode(`{"a":${byte.repeat(count)}1}`)
  expect(hasFewValues(body(16 * maxValues - 100))).toBe(true)
  expect(hasFewValues(body(16 * maxValues))).toBe(false)
})

test('behavior: nesting counts as values', () => {
  expect(hasFewValues(new TextEncoder().encode('['.repeat(maxValues + 1)))).toBe(false)
})

test('behavior: characters of texts are not values, whatever they escape', () => {
  const text = fc.string({ unit: fc.constantFrom(',', '[', '{', '"', '\\', 'a'), minLength: maxValues })
  fc.assert(
    fc.property(text, (value) => {
      expect(hasFewValues(bytes({ [value]: value }))).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('behavior: a text that does not end is no value', () => {
  expect(hasFewValues(new TextEncoder().encode(`"${','.repeat(2 * maxValues)}`))).toBe(true)
})

test('behavior: a text of escaped quotes is searched once', () => {
  const json = bytes('"'.repeat(100_000))
  const indexOf = vi.spyOn(json, 'indexOf')
  expect(hasFewValues(json)).toBe(true)
  expect(indexOf).toHaveBeenCalledOnce()
})
