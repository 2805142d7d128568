import { decimalMark, formatAmount } from '@lanyard/ui'
import { formatUnits, parseUnits } from 'viem'
import { t } from '../i18n/t.ts'

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

/** Significant digits of a displayed fee. */
const digits = 2

/**
 * Formats base units, rounded up to two significant digits, since a fee is an upper bound: `272611816512n`
 * wei becomes `0.00000028` ETH. Whole units are not rounded.
 *
 * @param decimals - decimals of the currency
 */
export function formatFee(value: bigint, decimals: number): string {
  const length = value.toString().length
  const unit = 10n ** BigInt(Math.max(0, Math.min(length - digits, decimals)))
  return formatAmount(((value + unit - 1n) / unit) * unit, decimals)
}

/** Decimals of a fee that was paid. */
const paidPlaces = 6

/**
 * Formats a fee that was paid with at most six decimals, rounded to the nearest. What would round to nothing is "less
 * than 0.000001".
 *
 * @param decimals - decimals of the currency
 */
export function formatPaidFee(value: bigint, decimals: number): string {
  const unit = 10n ** BigInt(Math.max(0, decimals - paidPlaces))
  const rounded = ((value + unit / 2n) / unit) * unit
  return rounded === 0n && value > 0n
    ? t('less than {amount}', { amount: formatAmount(unit, decimals) })
    : formatAmount(rounded, decimals)
}

export type ParseAmountResult =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly message: string }

/**
 * Parses a typed amount to base units. It does not use floats: `0.1` must be exactly 10^(decimals-1). Point and
 * comma are decimal marks, as in `1,5`. The one that the person's language does not use for decimals is rejected where
 * it could also separate thousands, as in `1,500` in English.
 *
 * @param decimals - 18 for native value, otherwise the token's decimals
 */
export function parseAmount(text: string, decimals: number): ParseAmountResult {
  const given = text.trim()
  if (given === '') return reject(t('Enter an amount.'))
  if (given.split(',').length > 2 || (given.includes(',') && given.includes('.')))
    return reject(t('Leave out thousands separators.'))
  const other = decimalMark === ',' ? '.' : ','
  if (new RegExp(`^[1-9]\\d{0,2}\\${other}\\d{3}$`).test(given))
    return reject(
      t('Is that {whole} or {fraction}? Use “{mark}” for decimals.', {
        whole: given.replace(other, ''),
        fraction: given.replace(other, decimalMark),
        mark: decimalMark,
      }),
    )
  const typed = given.replace(',', '.')
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(typed))
    return reject(t('Enter a number such as {example}.', { example: `0${decimalMark}25` }))
  const [whole = '', fraction = ''] = typed.split('.')
  if (fraction.replace(/0+$/, '').length > decimals)
    return reject(decimals === 0 ? t('Only whole units.') : t('At most {decimals} decimals.', { decimals }))
  if (whole.length > 60) return reject(t('That is more than exists.'))
  return { ok: true, value: parseUnits(`${whole || '0'}.${fraction.slice(0, decimals)}`, decimals) }
}

function reject(message: string): ParseAmountResult {
  return { ok: false, message }
}
