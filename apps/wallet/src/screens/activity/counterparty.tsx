import { Identicon, shortAddress } from '@lanyard/ui'
import type { Address } from 'viem'

interface CounterpartyProps {
  readonly address: Address
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** The other party of a transfer. A known name is always shown with the address. */
export function Counterparty({ address, names }: CounterpartyProps) {
  const name = names.get(address.toLowerCase())
  return (
    <span className="inline-flex min-w-0 max-w-full flex-wrap items-center gap-1.5" title={address}>
      <Identicon address={address} className="size-4" />
      {name && <span className="truncate font-medium text-ink">{name}</span>}
      <span className="shrink-0 font-mono text-xs">{shortAddress(address)}</span>
    </span>
  )
}
