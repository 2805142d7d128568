import type { Session as SessionLimits } from '@lanyard/session-keys'
import { Fact } from '@lanyard/ui'
import type { Address } from 'viem'
import type { Currency } from '../amounts/currency.ts'
import { formatAmount, formatShortAmount } from '../amounts/format-amount.ts'
import { rich, t } from '../i18n/t.ts'
import { SessionEnd } from '../operation/session-end.tsx'
import { allowanceCurrency } from './allowance-currency.ts'
import { periodText } from './periods.ts'

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
