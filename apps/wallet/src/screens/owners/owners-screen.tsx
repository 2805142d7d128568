import { useState } from 'react'
import { useNetworks } from '../../networks/use-networks.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Screen } from '../../ui/screen.tsx'
import { AddOwner } from './add-owner.tsx'
import { OwnerChangeSteps } from './owner-change-steps.tsx'
import { OwnerList } from './owner-list.tsx'
import { Protection } from './protection.tsx'
import { RecoveryKitCard } from './recovery-kit-card.tsx'

/** A second way into the account, for when the first passkey is gone. */
export function OwnersScreen() {
  const networks = useNetworks()
  const owners = useOwners()
  const [change, setChange] = useState<OwnerChange>()
  const error = networks.error ?? (owners.data ? null : owners.error)
  return (
    <Screen
      title="Owners"
      narrow
      intro="Each owner can act for the account alone. With two, losing one loses nothing."
    >
      {error ? (
        <ErrorNotice error={error} onRetry={() => void Promise.all([networks.refetch(), owners.refetch()])} />
      ) : !networks.data || !owners.data ? (
        <ListSkeleton label="Reading the owners from the networks" />
      ) : change ? (
        <OwnerChangeSteps change={change} networks={networks.data} onClose={() => setChange(undefined)} />
      ) : (
        <>
          <Protection ownership={owners.data} networks={networks.data} />
          <OwnerList ownership={owners.data} networks={networks.data} onChange={setChange} />
          <AddOwner onChange={setChange} />
          <RecoveryKitCard />
        </>
      )}
    </Screen>
  )
}
