import type { Currency } from '../../amounts/currency.ts'
import { formatAmount } from '../../amounts/format-amount.ts'
import { rich, t } from '../../i18n/t.ts'
import { allowanceCurrency } from '../../sessions/allowance-currency.ts'
import type { GrantedSession } from '../../sessions/granted-session.ts'
import { periodText } from '../../sessions/periods.ts'
import { SessionEnd } from '../../sessions/session-end.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Meter } from '../../ui/meter.tsx'

interface SessionLeftProps {
  readonly granted: Pick<GrantedSession, 'session' | 'left' | 'operationsLeft'>
  readonly currencies: readonly Currency[]
}

/** The remainder of each limit: a meter for each allowance, and the end in local time. */
export function SessionLeft({ granted: { session, left, operationsLeft }, currencies }: SessionLeftProps) {
  return (
    <div className="grid gap-3 text-sm">
      {session.allowances.map(({ token, period, amount }, index) => {
        const { symbol, decimals } = allowanceCurrency(token, currencies)
        const rest = left[index] ?? 0n
        const term = `${symbol}, ${periodText(period)}`
        const text = t('{amount} of {amount2} left', {
          amount: formatAmount(rest, decimals),
          amount2: formatAmount(amount, decimals),
        })
        return (
          <div key={token} className="grid gap-1.5">
            <p className="flex flex-wrap justify-between gap-x-6">
              <span className="text-muted">{term}</span>
              <span className="figures">{text}</span>
            </p>
            <Meter label={term} value={rest} max={amount} text={text} />
          </div>
        )
      })}
      <dl className="grid gap-1.5">
        <Fact term={t('Transactions')}>
          <span className="figures">
            {rich('{operationsLeft} of {maxOperations} left', {
              operationsLeft,
              maxOperations: session.maxOperations,
            })}
          </span>
        </Fact>
        <Fact term={t('Ends')}>
          <SessionEnd seconds={session.validUntil} />
        </Fact>
      </dl>
    </div>
  )
}
