import { expect, test } from 'vitest'
import { RecentMap } from './recent-map.ts'

test('behavior: a new entry replaces the one that was used least recently', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3])
})

test('behavior: an entry that is set again displaces none', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('b', 3)
  expect([map.get('a'), map.get('b')]).toEqual([1, 3])
})
