import type { Currency } from '@lanyard/calls'
import { Fact, formatAmount, Meter, shortAddress, Time } from '@lanyard/ui'
import { rich, t } from '../../i18n/t.ts'
import { SessionEnd } from '../../operation/session-words.tsx'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import type { GrantedSession } from '../../session-keys/granted-session.ts'
import { allowanceCurrency, periodText } from '../../session-keys/requested-limits.tsx'

interface SessionLeftProps {
  readonly granted: Pick<
    GrantedSession,
    'session' | 'state' | 'left' | 'resets' | 'recipients' | 'operationsLeft'
  >
  readonly currencies: readonly Currency[]
}

/** How many recipients are named. The others are under "What it may do". */
const maxNamed = 2

/** The limits of a session: what it may take, who gets it, what is left of it, and when it is whole again. */
export function SessionLeft({
  granted: { session, state, left, resets, recipients, operationsLeft },
  currencies,
}: SessionLeftProps) {
  const names = useRecipientNames()
  const nameOf = (address: `0x${string}`) => {
    const name = names.get(address.toLowerCase())
    return name ? `${name} (${shortAddress(address)})` : shortAddress(address)
  }
  const whoGets = (to: GrantedSession['recipients'][number]) => {
    if (!to) return t('for anyone')
    const others = to.length - maxNamed
    const named = to.slice(0, maxNamed).map(nameOf).join(', ')
    return others > 0 ? t('for {named} and {others} more', { named, others }) : t('for {named}', { named })
  }
  return (
    <div className="grid gap-4 text-sm">
      {session.allowances.map(({ token, period, amount }, index) => {
        const { symbol, decimals } = allowanceCurrency(token, currencies)
        const rest = left[index] ?? 0n
        const whole = formatAmount(amount, decimals)
        const resetsAt = resets[index]
        const text =
          rest === amount
            ? t('Nothing used yet')
            : t('{amount} {symbol} left', { amount: formatAmount(rest, decimals), symbol })
        const what = t('Takes up to {amount} {symbol} {period}', {
          amount: whole,
          symbol,
          period: periodText(period),
        })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a token can have two allowances, and their order is fixed
          <div key={`${token} ${index}`} className="grid gap-1.5">
            <p className="wrap-anywhere grid">
              <span className="font-medium">{what}</span>
              <span className="text-muted">{whoGets(recipients[index])}</span>
            </p>
            <Meter label={what} value={rest} max={amount} text={text} />
            <p className="flex flex-wrap justify-between gap-x-6 text-muted">
              <span className="figures">{text}</span>
              {state === 'active' && resetsAt !== undefined && (
                <span>
                  {rich('{amount} {symbol} again on {time}', {
                    amount: whole,
                    symbol,
                    time: <Time at={new Date(resetsAt * 1_000).toISOString()} />,
                  })}
                </span>
              )}
            </p>
          </div>
        )
      })}
      <dl className="grid gap-1.5">
        <Fact term={t('Transactions')}>
          <span className="figures">
            {operationsLeft === session.maxOperations
              ? t('Up to {count}', { count: operationsLeft })
              : t('{left} more, of {count}', { left: operationsLeft, count: session.maxOperations })}
          </span>
        </Fact>
        <Fact term={t('Ends')}>
          <SessionEnd seconds={session.validUntil} />
        </Fact>
      </dl>
    </div>
  )
}
