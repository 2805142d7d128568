import { formatAmount } from '../format-amount.ts'
import { useBalance } from '../use-balance.ts'
import { ErrorMessage } from './error-message.tsx'

export interface BalanceProps {
  readonly className?: string
  /** Chain id. Default: the provider's. */
  readonly network?: number
  /** The symbol of a token of the service. Default: the native coin. */
  readonly token?: string
  /** The native coin's symbol. Default: ETH. */
  readonly nativeSymbol?: string
  /** Most decimals shown; the amount is cut, not rounded. Default: 6. */
  readonly decimals?: number
}

/** What the signed-in account holds of one currency. */
export function Balance({
  className = '',
  network,
  token,
  nativeSymbol = 'ETH',
  decimals = 6,
}: BalanceProps) {
  const { data, error } = useBalance(network === undefined ? {} : { network })
  if (error) return <ErrorMessage error={error} />
  const held = data && (token === undefined ? undefined : data.tokens.find(({ symbol }) => symbol === token))
  const amount = token === undefined ? data?.native : held?.balance
  return (
    <output className={`lanyard-figures ${className}`} aria-busy={data === undefined}>
      {amount === undefined ? '…' : formatAmount(amount, held?.decimals ?? 18, decimals)}{' '}
      {token ?? nativeSymbol}
    </output>
  )
}
