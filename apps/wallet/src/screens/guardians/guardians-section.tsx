import type { GuardianSet } from '@lanyard/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { guardiansInForce, guardiansOf } from '../../guardians/guardians-in-force.ts'
import { type GuardianAnswer, readAnswer } from '../../guardians/invitation.ts'
import { sendProof } from '../../guardians/sign-as-guardian.ts'
import { type SignableChange, signOwnerChange } from '../../guardians/sign-owner-change.ts'
import { isApplying, type OwnershipStatus } from '../../guardians/use-ownership.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { ChangeProgress } from './change-progress.tsx'
import { EnableRun } from './enable-run.tsx'
import { GuardianForm } from './guardian-form.tsx'
import { GuardianList } from './guardian-list.tsx'

interface GuardiansSectionProps {
  readonly status: OwnershipStatus
  readonly networks: readonly Network[]
}

/** Protects the account against loss: people who together can give it a new owner after a delay. */
export function GuardiansSection({ status, networks }: GuardiansSectionProps) {
  const session = useSession()
  const queryClient = useQueryClient()
  const { hash } = useLocation()
  // Who opens the answer to an invitation wants to add that guardian.
  const [isEditing, setEditing] = useState(() => readAnswer(hash) !== undefined)
  const signing = useMutation({
    mutationFn: async ({
      change,
      answers,
    }: {
      change: SignableChange
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
  const latest = status.changes.at(-1)
  // Who could sign is asked again as soon as a network has other guardians, in force or to come.
  const arrived = [
    ...status.networks.map(({ network, guardians: hash }) => `${network} ${hash}`),
    ...(latest?.networks.map(({ network, state }) => `${network} ${state}`) ?? []),
  ].join()
  useEffect(() => {
    if (arrived) void queryClient.invalidateQueries({ queryKey: ['guardians', session.account] })
  }, [arrived, queryClient, session.account])
  const isEnabled = status.networks.some(({ enabled }) => enabled)
  const isEverywhere = status.networks.every(({ status: health, enabled }) => health !== 'up' || enabled)
  // One thing at a time: the networks first, then the guardians.
  const [isLater, setLater] = useState(false)
  const isChoosing = isEnabled && (isEverywhere || isLater || guardians !== undefined)
  // What is signed need not be chosen again while it travels.
  const isUnderWay = latest !== undefined && guardiansOf(latest) !== undefined && isApplying(latest)
  const save = (next: GuardianSet, answers: readonly GuardianAnswer[]) =>
    signing.mutate({ change: { kind: 'setGuardians', guardians: next }, answers })
  return (
    <>
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
    </>
  )
}
