import { formatAmount } from '../format-amount.ts'
import { useAccount } from '../use-account.ts'
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

/** What the signed-in account holds of one currency. Renders nothing for others. */
export function Balance({
  className = '',
  network,
  token,
  nativeSymbol = 'ETH',
  decimals = 6,
}: BalanceProps) {
  const { data, error } = useBalance(network === undefined ? {} : { network })
  const account = useAccount()
  if (!account) return null
  if (error) return <ErrorMessage error={error} />
  const isNative = token === undefined || token === nativeSymbol
  const held = isNative ? undefined : data?.tokens.find(({ symbol }) => symbol === token)
  // A token that the service does not list is not read.
  const unknown = data && !isNative && !held
  const amount = isNative ? data?.native : held?.balance
  return (
    <output className={`lanyard-figures ${className}`} aria-busy={data === undefined}>
      {amount === undefined ? (unknown ? '–' : '…') : formatAmount(amount, held?.decimals ?? 18, decimals)}{' '}
      {token ?? nativeSymbol}
    </output>
  )
}
