import { formatAmount } from '../amounts/format-amount.ts'

interface BigAmountProps {
  readonly verb: string
  readonly amount: bigint
  readonly currency: { readonly symbol: string; readonly decimals: number }
}

/** The amount that moves, in large type to be read before signing. */
export function BigAmount({ verb, amount, currency }: BigAmountProps) {
  return (
    <p className="grid gap-0.5">
      <span className="text-muted text-sm">{verb}</span>
      <span className="figures font-semibold text-3xl tracking-tight">
        {formatAmount(amount, currency.decimals)}{' '}
        <span className="font-medium text-muted text-xl tracking-normal">{currency.symbol}</span>
      </span>
    </p>
  )
}
