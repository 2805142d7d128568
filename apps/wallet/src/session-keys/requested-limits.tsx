import { type Currency, nativeOf } from '@lanyard/calls'
import type { Session as SessionLimits } from '@lanyard/session-keys'
import { Fact, formatAmount, shortAddress } from '@lanyard/ui'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { formatShortAmount } from '../amounts/amounts.ts'
import { rich, t } from '../i18n/t.ts'
import { SessionEnd } from '../operation/session-words.tsx'

interface RequestedLimitsProps {
  readonly session: SessionLimits
  readonly currencies: readonly Currency[]
  /** What the account holds of a token, in base units. */
  readonly held: (token: Address) => bigint | undefined
}

/**
 * The limits that an app requests. They have no meters: nothing was granted, and a full bar looks like an
 * approval.
 */
export function RequestedLimits({ session, currencies, held }: RequestedLimitsProps) {
  return (
    <dl className="grid gap-2 text-sm">
      {session.allowances.map(({ token, period, amount }) => {
        const { symbol, decimals } = allowanceCurrency(token, currencies)
        const holding = held(token)
        const isTooMuch = holding !== undefined && amount > holding
        return (
          <Fact key={token} term={t('Up to, {period}', { period: periodText(period) })}>
            <span className={`figures wrap-anywhere ${isTooMuch ? 'font-medium text-danger' : ''}`}>
              {formatAmount(amount, decimals)} {symbol}
            </span>
            {holding !== undefined && (
              <span className="block text-muted">
                {rich('You have {amount} {symbol}', { amount: formatShortAmount(holding, decimals), symbol })}
              </span>
            )}
          </Fact>
        )
      })}
      <Fact term={t('Transactions, at most')}>
        <span className="figures">{session.maxOperations}</span>
      </Fact>
      <Fact term={t('Ends')}>
        <SessionEnd seconds={session.validUntil} />
      </Fact>
    </dl>
  )
}

/** The currency of an allowance's token. Amounts of unknown tokens are in base units. */
export function allowanceCurrency(token: Address, currencies: readonly Currency[]): Currency {
  if (isAddressEqual(token, zeroAddress)) return nativeOf(currencies)
  const known = currencies.find((currency) => currency.token && isAddressEqual(currency.token, token))
  return known ?? { symbol: t('Base units of {address}', { address: shortAddress(token) }), decimals: 0 }
}

/** The periods of an allowance, in seconds. */
export const periods = [
  { seconds: 3_600, label: t('every hour') },
  { seconds: 86_400, label: t('every day') },
  { seconds: 604_800, label: t('every week') },
  { seconds: 2_592_000, label: t('every 30 days') },
  { seconds: 0, label: t('in total') },
] as const

/** The durations of a session, in seconds. */
export const durations = [
  { seconds: 3_600, label: t('1 hour') },
  { seconds: 86_400, label: t('1 day') },
  { seconds: 604_800, label: t('1 week') },
  { seconds: 2_592_000, label: t('30 days') },
] as const

/** A period as text. A period granted elsewhere can have any length. */
export const periodText = (seconds: number): string =>
  periods.find((period) => period.seconds === seconds)?.label ?? t('every {seconds} seconds', { seconds })
