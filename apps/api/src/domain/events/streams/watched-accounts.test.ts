import { expect, test } from 'vitest'
import { createWatchedAccounts } from './event-streams.ts'

const minute = 60_000
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * minute)

/** Counts the accounts that may be watched, of as many as given. */
function begin() {
  const accounts = createWatchedAccounts()
  const add = (kind: 'address' | 'key', name: string, account: number, minutes = 0) => {
    try {
      accounts.add({ kind, name }, `0x${account}`, { now: at(minutes), until: at(minutes + 30) })
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 60 } })
      return false
    }
  }
  const addAll = (kind: 'address' | 'key', nameOf: (account: number) => string, count: number) =>
    Array.from({ length: count }, (_, account) => add(kind, nameOf(account), account)).filter(Boolean).length
  return { add, addAll }
}

test.each([
  ['IPv4', (host: number) => `203.0.113.${host}`],
  ['IPv6', (host: number) => `2001:db8:7:${host.toString(16)}::/64`],
])('behavior: the addresses of one network watch a hundred accounts (%s)', (_, addressOf) => {
  const { add, addAll } = begin()
  expect(addAll('address', addressOf, 200)).toBe(100)
  expect(add('address', addressOf(7), 3)).toBe(true) // it watches this account already
  expect(add('address', '198.51.100.1', 150)).toBe(true)
})

test('behavior: an account counts until its watch ends, and again after it is renewed', () => {
  const { add, addAll } = begin()
  const address = '203.0.113.7'
  expect(addAll('address', () => address, 100)).toBe(100)
  expect(add('address', address, 0, 20)).toBe(true)
  expect(add('address', address, 100, 29)).toBe(false)
  for (let account = 100; account < 199; account++) expect(add('address', address, account, 30)).toBe(true)
  expect(add('address', address, 199, 30)).toBe(false)
})

test('behavior: a server watches any number', () => {
  expect(begin().addAll('key', () => 'server', 200)).toBe(200)
})
