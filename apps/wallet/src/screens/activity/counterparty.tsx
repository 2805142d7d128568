import { Identicon, shortAddress } from '@lanyard/ui'
import type { LucideIcon } from 'lucide-react'
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

/** Shows the direction of an entry. The text says the same. */
export function RowIcon({ Icon, tone }: { Icon: LucideIcon; tone: 'good' | 'neutral' }) {
  return (
    <span
      className={`mt-0.5 grid size-9 shrink-0 place-items-center rounded-full ${
        tone === 'good' ? 'bg-accent-soft text-accent' : 'bg-sunken text-muted'
      }`}
      aria-hidden="true"
    >
      <Icon className="size-4.5" />
    </span>
  )
}
