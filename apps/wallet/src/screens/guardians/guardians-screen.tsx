import type { GuardianSet } from '@lanyard/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { guardiansInForce, guardiansOf } from '../../guardians/guardians-in-force.ts'
import type { GuardianAnswer } from '../../guardians/invitation.ts'
import { sendProof } from '../../guardians/sign-as-guardian.ts'
import { type GuardianChange, signOwnerChange } from '../../guardians/sign-owner-change.ts'
import { isApplying, type OwnershipStatus, useOwnership } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ChangeProgress } from './change-progress.tsx'
import { EnableRun } from './enable-run.tsx'
import { GuardianForm } from './guardian-form.tsx'
import { GuardianLimits } from './guardian-limits.tsx'
import { GuardianList } from './guardian-list.tsx'
import { LossCard } from './loss-card.tsx'

/** Protects the account against loss: people who together can give it a new owner after a delay. */
export function GuardiansScreen() {
  const networks = useNetworks()
  const ownership = useOwnership()
  const error = networks.error ?? (ownership.data ? null : ownership.error)
  return (
    <Screen
      title={t('Guardians')}
      narrow
      aside={
        <Button asChild variant="secondary" size="small">
          <Link to="/owners">{t('Owners')}</Link>
        </Button>
      }
      intro={t('People you trust who can give you your account back if you lose every passkey.')}
    >
      {error ? (
        <ErrorNotice
          error={error}
          onRetry={() => void Promise.all([networks.refetch(), ownership.refetch()])}
        />
      ) : !networks.data || !ownership.data ? (
        <ListSkeleton label={t('Loading your guardians')} />
      ) : ownership.data.module === undefined ? (
        <EmptyState title={t('No guardians here')}>
          {t('None of this service’s networks supports them.')}
        </EmptyState>
      ) : (
        <Guardians status={ownership.data} networks={networks.data} />
      )}
    </Screen>
  )
}

function Guardians({ status, networks }: { status: OwnershipStatus; networks: readonly Network[] }) {
  const session = useSession()
  const queryClient = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const signing = useMutation({
    mutationFn: async ({
      change,
      answers,
    }: {
      change: GuardianChange
      answers: readonly GuardianAnswer[]
    }) => {
      const next = await signOwnerChange(session, change, status, networks)
      // What is not proven now is proven when the guardian practises.
      await Promise.allSettled(answers.map((answer) => sendProof(session.account, answer)))
      return next
    },
    onSuccess: (next) => {
      queryClient.setQueryData(['ownership', session.account], next)
      for (const key of ['guardians', 'activity'])
        void queryClient.invalidateQueries({ queryKey: [key, session.account] })
      setEditing(false)
    },
  })
  const { guardians, chainIds } = guardiansInForce(status)
  // Who could sign is asked again as soon as a network has other guardians.
  const inForce = status.networks.map(({ network, guardians: hash }) => `${network} ${hash}`).join()
  useEffect(() => {
    if (inForce) void queryClient.invalidateQueries({ queryKey: ['guardians', session.account] })
  }, [inForce, queryClient, session.account])
  const isEnabled = status.networks.some(({ enabled }) => enabled)
  const isEverywhere = status.networks.every(({ status: health, enabled }) => health !== 'up' || enabled)
  // One thing at a time: the networks first, then the guardians.
  const [isLater, setLater] = useState(false)
  const isChoosing = isEnabled && (isEverywhere || isLater || guardians !== undefined)
  const latest = status.changes.at(-1)
  // What is signed need not be chosen again while it travels.
  const isUnderWay = latest !== undefined && guardiansOf(latest) !== undefined && isApplying(latest)
  const save = (next: GuardianSet, answers: readonly GuardianAnswer[]) =>
    signing.mutate({ change: { kind: 'setGuardians', guardians: next }, answers })
  return (
    <>
      <LossCard guardians={guardians === 'unknown' ? undefined : guardians} networks={networks} />
      {latest && <ChangeProgress change={latest} networks={networks} />}
      {guardians !== undefined && !isEditing ? (
        <GuardianList
          guardians={guardians}
          chainIds={chainIds}
          networks={networks}
          onChange={() => setEditing(true)}
        />
      ) : isChoosing && (isEditing || !isUnderWay) ? (
        <GuardianForm
          current={guardians === 'unknown' ? undefined : guardians}
          busy={signing.isPending}
          error={signing.error}
          onChange={signing.reset}
          onSave={save}
          onCancel={guardians !== undefined ? () => setEditing(false) : undefined}
        />
      ) : null}
      <EnableRun
        status={status}
        networks={networks}
        isFirst={!isEnabled}
        onLater={isEnabled && !isChoosing ? () => setLater(true) : undefined}
      />
      <GuardianLimits threshold={guardians && guardians !== 'unknown' ? guardians.threshold : undefined} />
    </>
  )
}
