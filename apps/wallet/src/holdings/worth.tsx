import type { Currency } from '@lanyard/calls'
import { formatWorth, usePrices, worthOf } from './prices.ts'

interface WorthProps {
  readonly chainId: number
  readonly currency: Currency
  readonly amount: bigint
  /** `up` for what is an upper bound. */
  readonly round?: 'up'
  /** What stands between an amount and its worth, and goes with it. */
  readonly before?: string
  readonly after?: string
}

/** What an amount is worth now. Renders nothing without a price. */
export function Worth({ chainId, currency, amount, round, before = '', after = '' }: WorthProps) {
  const price = usePrices().priceOf(chainId, currency)
  const text = price === undefined ? undefined : formatWorth(worthOf(amount, currency, price), round)
  return (
    text && (
      <span className="text-muted">
        {before}
        {text}
        {after}
      </span>
    )
  )
}
