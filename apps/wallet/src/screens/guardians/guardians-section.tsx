import type { GuardianSet } from '@lanyard/accounts'
import { Card } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { type GuardianAnswer, readAnswer } from '../../guardians/invitation.ts'
import { sendProof } from '../../guardians/sign-as-guardian.ts'
import { type SignableChange, signOwnerChange } from '../../guardians/sign-owner-change.ts'
import {
  guardiansInForce,
  guardiansOf,
  isApplying,
  type OwnershipStatus,
} from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
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

interface GuardianLimitsProps {
  /** How many of the guardians in force must agree; undefined: there are none yet. */
  readonly threshold: number | undefined
}

/** What guardians can and cannot do, in plain words. */
export function GuardianLimits({ threshold }: GuardianLimitsProps) {
  return (
    <Card aria-labelledby="guardian-limits" className="grid gap-3 p-5">
      <h2 id="guardian-limits" className="font-semibold">
        {t('What guardians can and cannot do')}
      </h2>
      <ul className="grid list-disc gap-1.5 pl-5 text-muted text-sm">
        <li>
          {threshold === 1
            ? t('Each of them alone can make a new passkey the owner. You have the delay to cancel.')
            : t('Together they can make a new passkey the owner. You have the delay to cancel.')}
        </li>
        <li>
          {threshold === undefined
            ? t('If two or more must agree, one alone can do nothing. This service can never do anything.')
            : threshold === 1
              ? t('This service can do nothing without one of them.')
              : t('Alone, a guardian can do nothing. Neither can this service.')}
        </li>
        <li>{t('They cannot move money, and they cannot see more than anyone else.')}</li>
        <li>
          {t(
            'They protect against loss, not against theft: whoever has your passkey can take everything at once, and can cancel every recovery.',
          )}
        </li>
        <li>
          {t('Choose people who do not know of each other, and tell each to call you before they sign.')}
        </li>
        <li>{t('The guardians contract is not audited yet.')}</li>
      </ul>
    </Card>
  )
}
