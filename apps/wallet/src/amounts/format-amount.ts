import { formatUnits } from 'viem'

/** Thin enough not to be read as a decimal mark in any country, and it never breaks a line. */
const groupSeparator = '\u202f'

/**
 * Base units as a person reads them, exact: `1234500000000000000000n` with 18 decimals is `1 234.5`.
 *
 * @param decimals of the currency.
 */
export function formatAmount(value: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(value, decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, groupSeparator)
  return fraction ? `${grouped}.${fraction}` : grouped
}

/**
 * The same with at most `places` decimals, cut and not rounded, so that it never shows more than there is.
 * Money of a currency with few decimals keeps two (`100.00`).
 *
 * @param options.places decimals to show at most.
 * @param options.fixed decimals to show at least.
 */
export function formatShortAmount(
  value: bigint,
  decimals: number,
  { places = 6, fixed = 0 }: { places?: number; fixed?: number } = {},
): string {
  const [whole = '0', fraction = ''] = formatAmount(value, decimals).split('.')
  const short = fraction.slice(0, places).replace(/0+$/, '')
  if (short === '' && whole === '0' && value > 0n && places > 0) return `<\u202f0.${'0'.repeat(places - 1)}1`
  const shown = short.padEnd(Math.min(fixed, decimals), '0')
  return shown ? `${whole}.${shown}` : whole
}
