import { formatUnits } from 'viem'
import { decimalMark } from './decimal-mark.ts'

/** A narrow space that no country reads as a decimal mark, and that never breaks a line. */
const groupSeparator = '\u202f'

/**
 * Formats base units exactly: `1234500000000000000000n` with 18 decimals becomes `1 234.5`.
 *
 * @param decimals - decimals of the currency
 */
export function formatAmount(value: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(value, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, groupSeparator)
  return fraction ? `${grouped}${decimalMark}${fraction}` : grouped
}

/**
 * Formats base units with at most `places` decimals. It truncates instead of rounding, so it never shows more
 * than the actual amount. A currency with few decimals keeps two of them (`100.00`).
 *
 * @param options.places - maximum number of decimals
 * @param options.fixed - minimum number of decimals
 */
export function formatShortAmount(
  value: bigint,
  decimals: number,
  { places = 6, fixed = 0 }: { places?: number; fixed?: number } = {},
): string {
  const [whole = '0', fraction = ''] = formatAmount(value, decimals).split(decimalMark)
  const short = fraction.slice(0, places).replace(/0+$/, '')
  if (short === '' && whole === '0' && value > 0n && places > 0)
    return `<\u202f0${decimalMark}${'0'.repeat(places - 1)}1`
  const shown = short.padEnd(Math.min(fixed, decimals), '0')
  return shown ? `${whole}${decimalMark}${shown}` : whole
}

/** The amount as a field shows it: exact, without grouping, with the decimal mark that the person types. */
export const toInput = (value: bigint, decimals: number): string =>
  formatUnits(value, decimals).replace('.', decimalMark)
