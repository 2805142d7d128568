import { expect, test } from 'vitest'
import { parseTip } from '../src/jar'

test('reads amounts with a point or a comma', () => {
  expect(parseTip(' 0.01 ')).toBe('0.01')
  expect(parseTip('0,5')).toBe('0.5')
  expect(parseTip('1')).toBe('1')
})

test('rejects what is no tip', () => {
  for (const text of ['', '0', '-1', '1.01', '1e3', 'ten', '0.', '0.0000000000000000001'])
    expect(parseTip(text), text).toBeUndefined()
})
