// @vitest-environment happy-dom
import { afterEach, describe, expect, test } from 'vitest'
import { readEarlyReceipts, rememberEarlyReceipt } from './early-receipts.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
afterEach(() => localStorage.clear())

describe('early receipts', () => {
  test('default: keeps the last balance, and when the first was seen', () => {
    rememberEarlyReceipt(account, { chainId: 1, amount: 5n, seenAt: '2026-01-01T00:00:00.000Z' })
    rememberEarlyReceipt(account, { chainId: 1, amount: 7n, seenAt: '2026-01-02T00:00:00.000Z' })
    rememberEarlyReceipt(account, { chainId: 2, amount: 1n, seenAt: '2026-01-03T00:00:00.000Z' })
    expect(readEarlyReceipts(account)).toEqual([
      { chainId: 1, amount: 7n, seenAt: '2026-01-01T00:00:00.000Z' },
      { chainId: 2, amount: 1n, seenAt: '2026-01-03T00:00:00.000Z' },
    ])
  })

  test('behavior: ignores content that is none', () => {
    for (const content of ['', '{', '[null, 1, {"chainId":1,"amount":"x","seenAt":"2026"}]', '{}']) {
      localStorage.setItem(`lanyard.early-receipts.${account.toLowerCase()}`, content)
      expect(readEarlyReceipts(account)).toEqual([])
    }
  })
})
