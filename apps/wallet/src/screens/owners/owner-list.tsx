import { Card } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import type { Owner, Ownership } from '../../owners/use-owners.ts'
import { OwnerRow } from './owner-row.tsx'

interface OwnerListProps {
  readonly ownership: Ownership
  readonly networks: readonly Network[]
  readonly onChange: (change: OwnerChange) => void
  readonly onReplace: (owner: Owner) => void
}

/** The current owners of the account. */
export function OwnerList({ ownership, networks, onChange, onReplace }: OwnerListProps) {
  return (
    <Card aria-labelledby="owners">
      <h2 id="owners" className="border-line border-b px-5 py-4 font-semibold">
        {t('Owners now')}
      </h2>
      <ul className="divide-y divide-line">
        {ownership.owners.map((owner) => (
          <OwnerRow
            key={owner.address}
            owner={owner}
            ownership={ownership}
            networks={networks}
            onChange={onChange}
            onReplace={onReplace}
          />
        ))}
      </ul>
    </Card>
  )
}
