import { isAddressEqual, zeroAddress } from 'viem'
import { type Currency, nativeCurrency } from '../../amounts/currency.ts'
import { formatAmount } from '../../amounts/format-amount.ts'
import type { GrantedSession } from '../../sessions/granted-session.ts'
import { periodText } from '../../sessions/periods.ts'
import { Fact } from '../../ui/fact.tsx'
import { shortAddress } from '../../ui/short-address.ts'
import { Time } from '../../ui/time.tsx'

interface SessionLeftProps {
  readonly granted: GrantedSession
  readonly currencies: readonly Currency[]
}

/** What is left of each limit. */
export function SessionLeft({ granted: { session, left, operationsLeft }, currencies }: SessionLeftProps) {
  return (
    <dl className="grid gap-1.5 text-sm">
      {session.allowances.map(({ token, period, amount }, index) => {
        const { symbol, decimals } = currencyOf(token, currencies)
        return (
          <Fact key={token} term={`${symbol}, ${periodText(period)}`}>
            <span className="figures">
              {formatAmount(left[index] ?? 0n, decimals)} of {formatAmount(amount, decimals)} left
            </span>
          </Fact>
        )
      })}
      <Fact term="Operations">
        <span className="figures">
          {operationsLeft} of {session.maxOperations} left
        </span>
      </Fact>
      <Fact term="Until">
        <Until seconds={session.validUntil} />
      </Fact>
    </dl>
  )
}

/** A token that nobody vouches for is counted as the chain does. */
function currencyOf(token: `0x${string}`, currencies: readonly Currency[]): Currency {
  if (isAddressEqual(token, zeroAddress)) return nativeCurrency
  const known = currencies.find((currency) => currency.token && isAddressEqual(currency.token, token))
  return known ?? { symbol: `Base units of ${shortAddress(token)}`, decimals: 0 }
}

/** Dates reach to the year 275760 (ECMA-262 §21.4.1.1), validUntil beyond. */
const lastDate = 8_640_000_000_000

function Until({ seconds }: { seconds: number }) {
  return seconds > lastDate ? 'No end' : <Time at={new Date(seconds * 1_000).toISOString()} />
}
