import { formatAmount } from './format-amount.ts'

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
