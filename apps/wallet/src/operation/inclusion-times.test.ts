// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { expectedInclusion, rememberInclusion } from './inclusion-times.ts'

afterEach(() => localStorage.clear())

test('default: returns the median of the last nine times on that network', () => {
  expect(expectedInclusion(1)).toBe('usually less than a minute')
  for (const seconds of [600, 3, 4, 4, 4, 4, 4, 90, 2, 5]) rememberInclusion(1, seconds * 1_000)
  expect(expectedInclusion(1)).toBe('usually about 4 s')
  expect(expectedInclusion(2)).toBe('usually less than a minute')
  for (let count = 0; count < 9; count++) rememberInclusion(1, 150_000)
  expect(expectedInclusion(1)).toBe('usually about 3 min')
})

test('behavior: ignores invalid stored values', () => {
  localStorage.setItem('lanyard.inclusion.1', '{"a":1}')
  expect(expectedInclusion(1)).toBe('usually less than a minute')
  localStorage.setItem('lanyard.inclusion.1', '["x",null,-1,2000]')
  expect(expectedInclusion(1)).toBe('usually about 2 s')
})
