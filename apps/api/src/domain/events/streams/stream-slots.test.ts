import type { LanyardError } from '@lanyard/contracts'
import { expect, test } from 'vitest'
import { createStreamSlots, streamLimits } from './stream-slots.ts'

/** Counts the slots of each caller. `take` takes a slot if one is allowed. */
function begin() {
  const slots = createStreamSlots()
  const counts = new Map<string, number>()
  const take = (kind: 'address' | 'key', name: string) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    try {
      return slots.take({ kind, name }, () => counts.set(name, (counts.get(name) ?? 0) - 1))
    } catch (error) {
      counts.set(name, (counts.get(name) ?? 0) - 1)
      expect((error as LanyardError).code).toBe('RATE_LIMITED')
      return undefined
    }
  }
  const sum = (matches: (name: string) => boolean) =>
    [...counts].reduce((total, [name, count]) => total + (matches(name) ? count : 0), 0)
  return { take, counts, sum }
}

test('default: each address and each key has a maximum, and a closed stream frees a slot', () => {
  const { take, counts } = begin()
  const releases = Array.from({ length: 60 }, () => take('address', '203.0.113.7'))
  expect(counts.get('203.0.113.7')).toBe(streamLimits.address)
  for (let count = 0; count < 200; count++) take('key', 'server')
  expect(counts.get('server')).toBe(streamLimits.key)
  releases[0]?.()
  releases[0]?.()
  expect(take('address', '203.0.113.7')).toBeDefined()
  expect(take('address', '203.0.113.7')).toBeUndefined()
})

test('behavior: a hundred addresses that take all slots still leave slots for new callers and keys', () => {
  const { take, counts, sum } = begin()
  for (let address = 0; address < 100; address++) {
    for (let count = 0; count < 10; count++) take('address', `198.51.${address}.1`)
  }
  expect(sum((name) => name.startsWith('198.51'))).toBe(streamLimits.addresses)
  for (let count = 0; count < 3; count++) expect(take('address', '203.0.113.7')).toBeDefined()
  for (let count = 0; count < 100; count++) expect(take('key', 'server')).toBeDefined()
  expect([counts.get('203.0.113.7'), counts.get('server')]).toEqual([3, 100])
  expect(sum(() => true)).toBe(streamLimits.addresses + 100)
})

test.each([
  ['IPv4', (host: number) => `203.0.113.${host}`],
  ['IPv6', (host: number) => `2001:db8:7:${host.toString(16)}::/64`],
])('behavior: the addresses of one network share their slots (%s)', (_, addressOf) => {
  const { take, sum } = begin()
  const isOfNetwork = (name: string) => name.startsWith('203.') || name.startsWith('2001:')
  for (let host = 0; host < 200; host++) {
    for (let count = 0; count < 10; count++) take('address', addressOf(host))
  }
  expect(sum(isOfNetwork)).toBe(streamLimits.addresses)
  // Each of 100 other callers still gets four slots.
  for (let other = 0; other < 100; other++) {
    for (let count = 0; count < 4; count++) expect(take('address', `10.0.${other}.1`)).toBeDefined()
  }
  expect(sum(isOfNetwork)).toBe(streamLimits.addresses - 400)
})

test('behavior: callers with one stream each do not lose it', () => {
  const { take, sum } = begin()
  for (let address = 0; address < 1_200; address++) take('address', `10.${address >> 8}.${address & 255}.1`)
  expect(sum(() => true)).toBe(streamLimits.addresses)
  expect(take('address', '203.0.113.7')).toBeUndefined()
})
