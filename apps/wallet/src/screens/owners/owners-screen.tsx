import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { noChange, readStoredChange, storeChange } from '../../owners/stored-change.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'
import { AddOwner } from './add-owner.tsx'
import { GuardiansCard } from './guardians-card.tsx'
import { OwnerList } from './owner-list.tsx'
import { OwnerRun } from './owner-run.tsx'
import { Protection } from './protection.tsx'
import { RecoveryKitCard } from './recovery-kit-card.tsx'

/** Manages the owners, so that a second one can act if the first passkey is lost. */
export function OwnersScreen() {
  const networks = useNetworks()
  const owners = useOwners()
  const { account } = useSession()
  const stored = useStoredDraft(`owners.${account}`, noChange)
  const change = readStoredChange(stored.draft)
  const setChange = (next: OwnerChange | undefined) => stored.change(storeChange(next))
  const error = networks.error ?? (owners.data ? null : owners.error)
  return (
    <Screen
      title={t('Owners')}
      narrow={change !== undefined || !owners.data}
      intro={t('Any owner can act alone. With two, you can lose one and keep your account.')}
    >
      {error ? (
        <ErrorNotice error={error} onRetry={() => void Promise.all([networks.refetch(), owners.refetch()])} />
      ) : !networks.data || !owners.data ? (
        <ListSkeleton label={t('Loading the owners')} />
      ) : change ? (
        <OwnerRun change={change} networks={networks.data} onClose={() => setChange(undefined)} />
      ) : (
        <div className="grid gap-5 lg:grid-cols-2 lg:items-start">
          <div className="grid gap-5">
            <Protection ownership={owners.data} networks={networks.data} onChange={setChange} />
            <OwnerList ownership={owners.data} networks={networks.data} onChange={setChange} />
          </div>
          <div className="grid gap-5">
            <AddOwner onChange={setChange} />
            <GuardiansCard />
            <RecoveryKitCard />
          </div>
        </div>
      )}
    </Screen>
  )
}
