import { Button, ListSkeleton, Screen, useStoredDraft } from '@lanyard/ui'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isAddress } from 'viem'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { guardiansInForce, useOwnership } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { BackupAdvice } from '../../owners/backup-advice.tsx'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { useUnfinishedRemovals } from '../../owners/unfinished-removals.ts'
import { type Owner, useOwners, withoutLeaving } from '../../owners/use-owners.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { StoredCandidate } from '../../signers/signer-kind.ts'
import { readCandidate, signerKindOf } from '../../signers/signer-kinds.ts'
import { GuardianLimits, GuardiansSection } from '../guardians/guardians-section.tsx'
import { AddOwner } from '../owners/add-owner.tsx'
import { OwnerList } from '../owners/owner-list.tsx'
import { OwnerRun } from '../owners/owner-run.tsx'
import { RecoveryKitCard } from '../owners/recovery-kit-card.tsx'
import { LeftoversCard } from './leftovers-card.tsx'
import { LoginsCard } from './logins-card.tsx'
import { LossCard } from './loss-card.tsx'
import { OtherOwnersNotice } from './other-owners-notice.tsx'
import { PracticeCard } from './practice-card.tsx'

/** Opens the form for another owner; `/import` sends people here. */
const addOwnerHash = '#add-owner'

/** What happens if the passkey is lost: owners who can act alone, and guardians who can give the account back. */
export function ProtectionScreen() {
  const networks = useNetworks()
  const owners = useOwners()
  const ownership = useOwnership()
  const removals = useUnfinishedRemovals()
  const { account } = useSession()
  const stored = useStoredDraft(`owners.${account}`, noChange)
  const change = readStoredChange(stored.draft)
  const setChange = (next: OwnerChange | undefined) => stored.change(storeChange(next))
  const [isAdding, setAdding] = useState(() => location.hash === addOwnerHash)
  const [replaced, setReplaced] = useState<Owner>()
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isAdding) return
    form.current?.scrollIntoView({ block: 'nearest' })
    form.current?.querySelector('h2')?.focus({ preventScroll: true })
  }, [isAdding])
  const error = networks.error ?? (owners.data ? null : owners.error)
  const { guardians, hash, chainIds } = ownership.data
    ? guardiansInForce(ownership.data)
    : { guardians: undefined, hash: undefined, chainIds: [] }
  const known = guardians === 'unknown' ? undefined : guardians
  const isChoosing = ownership.data?.module !== undefined && guardians === undefined
  return (
    <Screen title={t('Protection')} narrow={change !== undefined || replaced !== undefined || !owners.data}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => void Promise.all([networks.refetch(), owners.refetch()])} />
      ) : networks.data && change ? (
        // Its owners may be read again meanwhile.
        <OwnerRun change={change} networks={networks.data} onClose={() => setChange(undefined)} />
      ) : !networks.data || !owners.data ? (
        <ListSkeleton label={t('Loading the owners')} />
      ) : replaced ? (
        <AddOwner
          replaced={{ label: replaced.label, onCancel: () => setReplaced(undefined) }}
          onChange={({ candidate }) => {
            setReplaced(undefined)
            setChange({ kind: 'replace', owner: replaced.address, candidate })
          }}
        />
      ) : (
        <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
          <div className="grid min-w-0 gap-5">
            <OtherOwnersNotice status={ownership.data} />
            <BackupAdvice owners={withoutLeaving(owners.data, removals).owners} />
            <LossCard
              guardians={known}
              chainIds={chainIds}
              ownership={owners.data}
              networks={networks.data}
              onChange={setChange}
              onAdd={() => setAdding(true)}
            />
            <LeftoversCard
              status={ownership.data}
              inForce={{ hash, guardians: known }}
              networks={networks.data}
            />
            {ownership.error && !ownership.data && (
              <ErrorNotice error={ownership.error} onRetry={() => void ownership.refetch()} />
            )}
            {ownership.data?.module && (
              <>
                <GuardiansSection status={ownership.data} networks={networks.data} />
                <GuardianLimits threshold={known?.threshold} />
              </>
            )}
          </div>
          <div className="grid min-w-0 gap-5">
            <OwnerList
              ownership={owners.data}
              networks={networks.data}
              onChange={setChange}
              onReplace={setReplaced}
            />
            <div ref={form} className="grid">
              {isAdding ? (
                <AddOwner onChange={setChange} />
              ) : (
                <>
                  <Button
                    size="large"
                    variant={isChoosing ? 'secondary' : 'primary'}
                    onClick={() => setAdding(true)}
                  >
                    <Plus className="size-5" aria-hidden="true" />
                    {t('Add an owner')}
                  </Button>
                  <p className="mt-2 text-muted text-sm">
                    {t('Any owner can act alone. With two, you can lose one and keep your account.')}
                  </p>
                </>
              )}
            </div>
            {known && <PracticeCard guardians={known} />}
            <LoginsCard />
            <RecoveryKitCard />
          </div>
        </div>
      )}
    </Screen>
  )
}

/** An owner change as this tab stores it, so that a reload continues it. */
interface StoredChange extends StoredCandidate {
  readonly kind: '' | 'add' | 'remove' | 'replace'
  /** The owner whose place it takes. */
  readonly replaced?: string
}

const noChange: StoredChange = { kind: '', address: '', credentialId: '' }

/** Stores only identifiers. A passkey's key is looked up again in this browser's storage. */
function storeChange(change: OwnerChange | undefined): StoredChange {
  if (!change) return noChange
  if (change.kind === 'remove') return { kind: 'remove', address: change.owner, credentialId: '' }
  return {
    ...signerKindOf(change.candidate).store(change.candidate),
    ...(change.kind === 'add' ? { kind: 'add' } : { kind: 'replace', replaced: change.owner }),
  }
}

/** Undefined if no change is in progress, or the stored one cannot be read. */
function readStoredChange({ kind, replaced = '', ...stored }: StoredChange): OwnerChange | undefined {
  if (kind === 'remove') return isAddress(stored.address) ? { kind, owner: stored.address } : undefined
  const candidate = readCandidate(stored)
  if (kind === '' || !candidate) return undefined
  if (kind === 'add') return { kind, candidate }
  return isAddress(replaced) ? { kind, owner: replaced, candidate } : undefined
}
