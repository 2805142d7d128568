// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { findDepartures, rememberDeparture } from './departures.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const session = (chainId: number, validUntil = 10, state: 'active' | 'expired' = 'active') => ({
  chainId,
  keyId: '0x01' as const,
  state,
  session: { validAfter: 0, validUntil },
})

afterEach(() => localStorage.clear())

test('default: a network is named until the sessions that were open there have ended', () => {
  rememberDeparture(account, 1, [session(1), session(2)])
  expect(findDepartures(account, [session(1), session(2)])).toEqual([1])
  expect(findDepartures(account, [session(2)])).toEqual([])
})

test('behavior: a key that is granted anew, or is over, is not the session that was open', () => {
  rememberDeparture(account, 1, [session(1)])
  expect(findDepartures(account, [session(1, 20)])).toEqual([])
  expect(findDepartures(account, [session(1, 10, 'expired')])).toEqual([])
})

test('behavior: nothing is remembered without sessions, and other content is ignored', () => {
  rememberDeparture(account, 1, [session(2)])
  expect(localStorage.length).toBe(0)
  localStorage.setItem(`lanyard.departures.${account.toLowerCase()}`, '[1,{"chainId":"1"}]')
  expect(findDepartures(account, [session(1)])).toEqual([])
})
