import { LanyardError } from '@lanyard/contracts'
import { expect, test } from 'vitest'
import type { Caller } from '../../domain/accounts/callers/caller.ts'
import { createAllowances } from './allowances.ts'
import { createStorageQuotas } from './storage-quotas.ts'

const minute = 60_000
const quota = 1_000_000

/** Quotas of builds with a clock of their own. */
function createFixture() {
  let now = 0
  const refused: string[] = []
  const reserve = createStorageQuotas({
    env: { RATE_LIMIT_BUILD_BYTES: quota },
    space: createAllowances({ clock: () => now }),
    holdersOf: ({ kind, name }: Caller) => [
      { kind, name },
      { kind: 'network', name: `network ${name.slice(0, 1)}` },
    ],
    factors: { address: 1, key: 10, network: 4 },
    onRefused: (kind) => refused.push(kind),
  })
  const store = (name: string, bytes: number) => {
    try {
      reserve('builds', { kind: 'address', name }, bytes).charge(bytes)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: expect.any(Number) } })
      return error instanceof LanyardError ? Number(error.details?.retryAfter) : 0
    }
  }
  return {
    reserve,
    refused,
    store,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('behavior: whoever stores as much as possible never has more than the quota stored', () => {
  const { store, pass } = createFixture()
  const stored: { readonly at: number; readonly bytes: number }[] = []
  for (let at = 0; at < 120; at++) {
    while (store('a', 10_000) === true) stored.push({ at, bytes: 10_000 })
    const live = stored.filter((one) => at - one.at < 21).reduce((sum, { bytes }) => sum + bytes, 0)
    expect(live).toBeLessThanOrEqual(quota)
    pass(minute)
  }
  expect(stored.length).toBeGreaterThan(250) // half of it at once, and half of it every 21 minutes
})

test('error: RATE_LIMITED for signed operations that were never included, kept forever', () => {
  const { reserve, pass } = createFixture()
  const mebibyte = 1024 * 1024
  const sign = () => reserve('signed', { kind: 'address', name: 'a' }, mebibyte)
  for (let count = 0; count < 32; count++) sign().charge(mebibyte)
  for (let count = 0; count < 3; count++) expect(sign).toThrow(/never included/)
  pass(60 * minute) // 32 MiB a day
  sign().release() // included after all
  sign().charge(mebibyte)
  expect(sign).toThrow(/never included/)
})

test('error: RATE_LIMITED for answers that are kept for a day', () => {
  const { reserve, pass } = createFixture()
  const mebibyte = 1024 * 1024
  const keep = (name = 'a') => reserve('answers', { kind: 'address', name }, mebibyte)
  for (let count = 0; count < 64; count++) keep().charge(mebibyte)
  expect(keep).toThrow(/kept for your Idempotency-Keys/)
  keep('b').charge(mebibyte)
  pass(12 * 60 * minute) // 64 MiB a day
  for (let count = 0; count < 32; count++) keep().charge(mebibyte)
  expect(keep).toThrow(/kept for your Idempotency-Keys/)
})

test('error: RATE_LIMITED says when there is space again', () => {
  const { store, pass } = createFixture()
  expect(store('a', 250_000)).toBe(true)
  expect(store('a', 250_000)).toBe(true)
  const retryAfter = store('a', 100_000)
  expect(retryAfter).toBe(252) // a fifth of 21 minutes
  pass((Number(retryAfter) - 2) * 1_000)
  expect(store('a', 100_000)).not.toBe(true)
  pass(2_000)
  expect(store('a', 100_000)).toBe(true)
})

test('error: RATE_LIMITED for a network of addresses', () => {
  const { store, refused } = createFixture()
  const served = Array.from({ length: 10 }, (_, index) => store(`n${index}`, 250_000) === true)
  expect(served.filter(Boolean)).toHaveLength(8)
  expect(refused).toEqual(['network', 'network'])
  expect(store('m1', 250_000)).toBe(true)
})

test('behavior: what was not stored takes no space', () => {
  const { reserve, store } = createFixture()
  for (let failed = 0; failed < 100; failed++)
    reserve('builds', { kind: 'address', name: 'a' }, 250_000).release()
  expect(store('a', 250_000)).toBe(true)
})
