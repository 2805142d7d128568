import { formatAmount } from './format-amount.ts'

/** Digits of a fee that a person reads. */
const digits = 2

/**
 * Base units rounded up to two significant digits, for what is an upper bound anyway: `272611816512n` wei is `0.00000028`
 * ETH. Nothing is rounded beyond whole units.
 *
 * @param decimals of the currency.
 */
export function formatFee(value: bigint, decimals: number): string {
  const length = value.toString().length
  const unit = 10n ** BigInt(Math.max(0, Math.min(length - digits, decimals)))
  return formatAmount(((value + unit - 1n) / unit) * unit, decimals)
}
