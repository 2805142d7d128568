import type { Currency } from '../amounts/currency.ts'
import { formatShortAmount } from '../amounts/format-amount.ts'
import { parseAmount } from '../amounts/parse-amount.ts'
import { t } from '../i18n/t.ts'
import type { SessionDraft } from './session-draft.ts'

/**
 * Compares a draft's fee limit for each transaction with the cost of one. A session with a lower limit can do
 * nothing.
 *
 * @param cost - wei; undefined if unknown
 */
export function feeHint(
  { fees, operations }: Pick<SessionDraft, 'fees' | 'operations'>,
  native: Currency,
  cost?: bigint,
): string {
  const text = (amount: bigint) =>
    `${formatShortAmount(amount, native.decimals, { places: 6 })} ${native.symbol}`
  const parsed = parseAmount(fees, native.decimals)
  const count = /^[1-9]\d{0,6}$/.test(operations.trim()) ? BigInt(operations) : 0n
  if (!parsed.ok || count === 0n) return t('Shared evenly among the transactions.')
  const share = parsed.value / count
  const each = t('{text} for each transaction', { text: text(share) })
  if (cost === undefined) return `${each}.`
  return share < cost
    ? t('Only {each}; one costs up to {text} now.', { each, text: text(cost) })
    : t('{each}, where one costs up to {text} now.', { each, text: text(cost) })
}
