import type { ReactNode } from 'react'
import { dollarParts, formatWorth, type PriceOf, usePrices, worthOf } from '../../holdings/prices.ts'
import { t } from '../../i18n/t.ts'
import type { Total } from './total.ts'

interface TotalsProps {
  readonly totals: readonly Total[]
}

interface DollarTotalProps extends TotalsProps {
  readonly byToken: ReactNode
  readonly children: (parts: readonly Intl.NumberFormatPart[]) => ReactNode
}

/** The total in dollars. Without the price of a part, the total by token. */
export function DollarTotal({ totals, byToken, children }: DollarTotalProps) {
  const parts = dollarParts(worthOfTotals(totals, usePrices().priceOf) ?? 0n)
  return parts ? children(parts) : byToken
}

/** What one token of the account is worth. */
export function TokenWorth({ totals }: TotalsProps) {
  const text = formatWorth(worthOfTotals(totals, usePrices().priceOf) ?? 0n)
  return text && <span className="figures text-muted text-sm">{text}</span>
}

/** Who names the prices. */
export function PriceSource() {
  const { source } = usePrices()
  return (
    source && (
      <p className="text-muted text-sm">
        {source === 'chainlink' ? t('Prices by Chainlink') : t('Prices by this service')}
      </p>
    )
  )
}

/** What totals are worth in dollars, with 18 decimals. Undefined if the price of a part is unknown. */
function worthOfTotals(totals: readonly Total[], priceOf: PriceOf): bigint | undefined {
  let sum = 0n
  for (const { currency, shares } of totals)
    for (const { network, amount } of shares) {
      const own = network.currencies.find(
        ({ symbol, token }) => symbol === currency.symbol && !token === !currency.token,
      )
      const price = own && priceOf(network.chainId, own)
      if (price === undefined) return undefined
      sum += worthOf(amount, currency, price)
    }
  return sum
}
