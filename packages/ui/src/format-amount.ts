import { formatUnits } from 'viem'
import { locale } from './locale.ts'

/** The decimal mark of the person's language. */
export const decimalMark =
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'

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
