import { formatShortAmount } from '../../amounts/format-amount.ts'
import type { NetworkBalance } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { sumByCurrency } from './sum-by-currency.ts'

interface TotalBalanceProps {
  readonly networks: readonly Network[] | undefined
  readonly balances: readonly NetworkBalance[] | undefined
  /** Another figure is the headline of the screen. */
  readonly secondary: boolean
}

/** Each currency summed over the networks that answer; says so where one does not. */
export function TotalBalance({ networks, balances, secondary }: TotalBalanceProps) {
  const size = secondary ? 'text-2xl' : 'text-4xl'
  if (!networks || !balances)
    return (
      <div className="mt-2 grid gap-2">
        <Skeleton className="h-9 w-40" />
        <Skeleton className="h-5 w-24" />
      </div>
    )
  const unavailable = balances.filter(({ available }) => !available).length
  return (
    <div className="mt-1 grid gap-0.5">
      {sumByCurrency(networks, balances).map(({ currency, amount }, index) => (
        <p
          key={`${currency.symbol}-${currency.decimals}`}
          className={
            index === 0 ? `figures font-semibold tracking-tight ${size}` : 'figures text-lg text-muted'
          }
        >
          {formatShortAmount(amount, currency.decimals, {
            places: index === 0 && currency.token ? 2 : 6,
            fixed: currency.token ? 2 : 0,
          })}
          <span
            className={
              index === 0
                ? `ml-2 font-medium text-muted tracking-normal ${secondary ? 'text-base' : 'text-xl'}`
                : 'ml-1.5'
            }
          >
            {currency.symbol}
          </span>
        </p>
      ))}
      {unavailable > 0 && (
        <p className="mt-1 text-cord-ink text-sm">
          Without {unavailable === 1 ? 'one network that does' : `${unavailable} networks that do`} not answer
          now.
        </p>
      )}
    </div>
  )
}
