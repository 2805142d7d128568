import { FullAddress, Identicon } from '@lanyard/ui'
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
