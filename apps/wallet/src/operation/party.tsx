import { FullAddress, formatAmount, Identicon } from '@lanyard/ui'
import type { Address } from 'viem'

interface PartyProps {
  readonly term: string
  readonly address: Address
  /** Lower-case address → name. */
  readonly names?: ReadonlyMap<string, string> | undefined
}

/** An address in its role, with the person's own name for it. */
export function Party({ term, address, names }: PartyProps) {
  const name = names?.get(address.toLowerCase())
  return (
    <div className="grid gap-1">
      <p className="text-muted text-sm">
        {term} {name && <strong className="font-semibold text-ink">{name}</strong>}
      </p>
      <span className="flex items-center gap-2.5">
        <Identicon address={address} className="size-8" />
        <FullAddress address={address} />
      </span>
    </div>
  )
}

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
