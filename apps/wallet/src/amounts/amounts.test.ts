import { formatAmount } from '@lanyard/ui'
import { describe, expect, test } from 'vitest'
import { formatFee, formatPaidFee, formatShortAmount, parseAmount } from './amounts.ts'

describe('parseAmount', () => {
  test.each([
    ['1', 18, 10n ** 18n],
    ['0.1', 18, 10n ** 17n],
    ['.5', 6, 500_000n],
    ['2.', 6, 2_000_000n],
    [' 12.340000000 ', 6, 12_340_000n],
    ['0.000001', 6, 1n],
    ['9007199254740993.000001', 6, 9007199254740993000001n],
    ['0', 6, 0n],
    ['1,5', 18, 15n * 10n ** 17n],
    ['0,125', 6, 125_000n],
    ['1,5000', 6, 1_500_000n],
  ])('default: %s with %i decimals', (text, decimals, value) => {
    expect(parseAmount(text, decimals)).toEqual({ ok: true, value })
  })

  test.each([
    ['', 18],
    ['1,500', 18],
    ['1,000,000', 18],
    ['1,000.5', 18],
    ['1e3', 18],
    ['-1', 18],
    ['0x10', 18],
    ['1.2.3', 18],
    ['.', 18],
    ['0.0000001', 6],
    ['1'.repeat(61), 6],
  ])('error: "%s" with %i decimals', (text, decimals) => {
    expect(parseAmount(text, decimals)).toMatchObject({ ok: false })
  })
})

describe('formatAmount', () => {
  test('default', () => {
    expect(formatAmount(1_234_500_000n, 6)).toBe('1\u202f234.5')
    expect(formatAmount(1n, 18)).toBe('0.000000000000000001')
    expect(formatAmount(0n, 18)).toBe('0')
    expect(formatAmount(1_000_000n, 0)).toBe('1\u202f000\u202f000')
  })

  test('behavior: an amount formatted without separators parses to the same amount', () => {
    for (const value of [1n, 999n, 10n ** 18n, 123456789012345678901234567n])
      expect(parseAmount(formatAmount(value, 18).replaceAll('\u202f', ''), 18)).toEqual({ ok: true, value })
  })
})

describe('formatShortAmount', () => {
  test('behavior: truncates, and never rounds up', () => {
    expect(formatShortAmount(1_999_999_999_999_999_999n, 18, { places: 4 })).toBe('1.9999')
  })

  test('behavior: does not show dust as zero', () => {
    expect(formatShortAmount(1n, 18)).toBe('<\u202f0.000001')
    expect(formatShortAmount(0n, 18)).toBe('0')
  })

  test('args: fixed', () => {
    expect(formatShortAmount(100_000_000n, 6, { fixed: 2 })).toBe('100.00')
    expect(formatShortAmount(100_500_000n, 6, { fixed: 2 })).toBe('100.50')
    expect(formatShortAmount(5n, 0, { fixed: 2 })).toBe('5')
  })
})

describe('formatFee', () => {
  test.each([
    [272_611_816_512n, '0.00000028'],
    [579_861_871_951_230n, '0.00058'],
    [990_000_000_000_000_001n, '1'],
    [1_234_000_000_000_000_000n, '1.3'],
    [1_234_100_000_000_000_000_000n, '1\u202f235'],
    [1n, '0.000000000000000001'],
    [0n, '0'],
  ])('%s wei is at most %s', (wei, text) => {
    expect(formatFee(wei, 18)).toBe(text)
  })
})

describe('formatPaidFee', () => {
  test.each([
    [1_234_567_890_123_456n, 18, '0.001235'],
    [1_999_999_900_000_000_000n, 18, '2'],
    [1_000_000_000_000_000n, 18, '0.001'],
    [500_000_000_000n, 18, '0.000001'],
    [499_999_999_999n, 18, 'less than 0.000001'],
    [1n, 18, 'less than 0.000001'],
    [0n, 18, '0'],
    [52_302n, 6, '0.052302'],
    [52n, 2, '0.52'],
  ])('default: %s with %i decimals is %s', (value, decimals, text) => {
    expect(formatPaidFee(value, decimals)).toBe(text)
  })
})
