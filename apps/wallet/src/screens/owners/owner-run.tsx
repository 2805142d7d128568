import { Button, Card, FullAddress, Identicon, ListSkeleton, Notice } from '@lanyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { isAddressEqual } from 'viem'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { type SignableChange, signOwnerChange } from '../../guardians/sign-owner-change.ts'
import { useOwnership } from '../../guardians/use-ownership.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { Party } from '../../operation/party.tsx'
import { rememberDeparture } from '../../owners/departures.ts'
import { forgetPasskey } from '../../owners/forget-passkey.ts'
import { findSigned, jointNetworks } from '../../owners/joint-change.ts'
import {
  type NetworkChange,
  type OwnerChange,
  planOwnerChange,
  prepareOwnerChange,
} from '../../owners/owner-change.ts'
import { removalRisks } from '../../owners/removal-risks.ts'
import { endRemoval, startRemoval } from '../../owners/unfinished-removals.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { ownerAddress } from '../../owners/verify-owner-change.ts'
import { findEndedKeys } from '../../session-keys/known-apps.ts'
import { useSessions } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { replaceTitle } from './add-owner.tsx'
import { type NetworkRun, RunRow } from './run-row.tsx'

interface OwnerRunProps {
  readonly change: OwnerChange
  readonly networks: readonly Network[]
  readonly onClose: () => void
}

/**
 * Makes an owner change on every network: with one signature where the account has the Ownership module, and with one on each other
 * network. After each signature, the next operation is prepared automatically. A person who stops can continue later.
 */
export function OwnerRun({ change, networks, onClose }: OwnerRunProps) {
  const session = useSession()
  const queryClient = useQueryClient()
  const { account } = session
  const { data: ownership } = useOwners()
  const status = useOwnership()
  const sessions = useSessions()
  const owner = change.kind === 'add' ? ownerAddress(change.candidate) : change.owner
  const added = change.kind === 'remove' ? undefined : ownerAddress(change.candidate)
  const consent =
    change.kind !== 'remove' && 'consent' in change.candidate ? change.candidate.consent : undefined
  const [done, setDone] = useState<readonly number[]>([])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const plan = useQuery({
    // The key starts with "owners", so that an included operation invalidates it.
    queryKey: ['owners', account, change.kind, owner, added],
    queryFn: ({ signal }) => planOwnerChange(account, change, networks, signal),
  })
  const operation = useCancellableMutation({
    mutationFn: (signal, { network, calls }: { network: Network; calls: NetworkChange['calls'] }) =>
      prepareOwnerChange(session, network, calls, signal),
  })
  const signing = useMutation({
    mutationFn: async (joint: SignableChange) => {
      if (!status.data) return undefined
      const next = await signOwnerChange(session, joint, status.data, networks, consent)
      queryClient.setQueryData(['ownership', account], next)
      return next.changes.at(-1)?.sequence
    },
    onSuccess: () => leavesOwner && startRemoval(account, owner),
  })

  const leavesOwner = change.kind !== 'add'
  const joint = status.data && ownership ? jointNetworks(status.data, ownership, session.credentialId) : []
  const signed =
    status.data && plan.data
      ? (status.data.changes.find(({ sequence }) => sequence === signing.data) ??
        findSigned(status.data, plan.data.joint, plan.data.networks))
      : undefined
  const progressOf = (chainId: number) => signed?.networks.find(({ network }) => network === chainId)
  const steps = (plan.data?.networks ?? []).flatMap((step) => {
    const network = networks.find(({ chainId }) => chainId === step.chainId)
    const state = joint.includes(step.chainId) ? progressOf(step.chainId)?.state : undefined
    const isDone = done.includes(step.chainId) || (state !== undefined && state !== 'pending')
    return network ? [{ ...step, network, status: isDone ? ('done' as const) : step.status }] : []
  })
  const pending = steps.filter((step) => step.status === 'pending')
  const together = pending.filter(({ chainId }) => joint.includes(chainId))
  const single = pending.filter((step) => !joint.includes(step.chainId) && step.calls.length > 0)
  const finished = steps.filter((step) => step.status === 'done').length
  const isWhole = plan.data !== undefined && finished === steps.length
  const isUnsigned = together.length > 0 && !signed
  const prepare = ({ network, calls }: (typeof steps)[number]) => operation.mutate({ network, calls })
  const removed = ownership?.owners.find(({ address }) => isAddressEqual(address, owner))
  const risks =
    leavesOwner && removed && ownership
      ? removalRisks(
          removed,
          ownership,
          session.credentialId,
          change.kind === 'replace' ? change.candidate.kind : undefined,
        )
      : []
  const names = removed?.label ? new Map([[owner.toLowerCase(), removed.label]]) : undefined
  const joinsAll = joint.length === networks.length
  // The list of owners no longer has it once it is removed.
  const credential = useRef<string>(undefined)
  credential.current ??= removed?.credentialId
  useEffect(() => {
    if (!leavesOwner || !isWhole) return
    endRemoval(account, owner)
    if (credential.current !== undefined) void forgetPasskey(account, owner, credential.current, joinsAll)
    void queryClient.invalidateQueries({ queryKey: ['sessions', account] })
  }, [leavesOwner, isWhole, account, owner, joinsAll, queryClient])
  const progress = signed?.networks.map(({ network, state }) => `${network} ${state}`).join()
  useEffect(() => {
    if (progress) void queryClient.invalidateQueries({ queryKey: ['owners', account] })
  }, [progress, queryClient, account])
  const goOn = (included: number) => {
    if (leavesOwner) startRemoval(account, owner)
    operation.reset()
    // A new owner that takes the place of another is added first: its network has a second step.
    if (change.kind === 'replace') {
      void plan.refetch()
      heading.current?.focus()
      return
    }
    setDone((last) => [...last, included])
    const next = single.find(({ chainId }) => chainId !== included)
    if (next) prepare(next)
    else heading.current?.focus()
  }
  const current = operation.data?.network.chainId ?? operation.variables?.network.chainId
  const runOf = (step: (typeof steps)[number]): NetworkRun => {
    if (step.status !== 'pending') return { state: step.status }
    if (step.chainId === current && operation.data) return { state: 'signing' }
    if (step.chainId === current && operation.error) return { state: 'failed', error: operation.error }
    if (step.chainId === current && operation.isPending) return { state: 'preparing' }
    if (!joint.includes(step.chainId)) return { state: step.calls.length > 0 ? 'pending' : 'later' }
    if (!signed) return { state: 'together' }
    const reason = progressOf(step.chainId)?.reason
    return { state: 'applying', reason, payable: reason !== undefined && step.calls.length > 0 }
  }
  const next = isUnsigned ? undefined : single[0]
  // The module and this wallet end all sessions with a removal, another app perhaps not.
  const left = steps.filter(
    ({ chainId, network, ...step }) =>
      leavesOwner &&
      step.status === 'done' &&
      !done.includes(chainId) &&
      !joint.includes(chainId) &&
      sessions.data?.sessions.some((one) => one.chainId === network.chainId && one.state !== 'expired'),
  )
  const endedKeys =
    leavesOwner && isWhole && sessions.data
      ? findEndedKeys(account, sessions.data, Math.floor(Date.now() / 1_000))
      : []
  const leftBefore = left.map(({ chainId }) => chainId).join()
  useEffect(() => {
    if (leftBefore && sessions.data)
      for (const chainId of leftBefore.split(','))
        rememberDeparture(account, Number(chainId), sessions.data.sessions)
  }, [leftBefore, sessions.data, account])
  const error = plan.data && status.data ? null : (plan.error ?? status.error)
  const name = (chosen: readonly { readonly chainId: number }[]) =>
    nameNetworks(
      chosen.map(({ chainId }) => chainId),
      networks,
    )
  const text = () => {
    if (isWhole)
      return change.kind === 'add'
        ? t('This owner can act for your account on every network.')
        : change.kind === 'remove'
          ? t('This owner cannot act for your account on any network.')
          : t('The new owner can act for your account on every network, and the old one on none.')
    if (!isUnsigned)
      return signed && together.length > 0
        ? t('Signed once. The service brings it to every network, and continues until each has it.')
        : t('Each network keeps its own list of owners, so you sign once on each. We take you through them.')
    return single.length === 0
      ? t('You sign once, for all networks.')
      : t(
          'You sign once for {networks}. On {others} your account cannot do that, so you sign there as well.',
          {
            networks: name(together),
            others: name(single),
          },
        )
  }
  return (
    <>
      <Card aria-labelledby="run" className="grid gap-4 p-5">
        <div className="grid gap-2">
          <h2 id="run" ref={heading} tabIndex={-1} className="font-semibold text-lg">
            {change.kind === 'add'
              ? t('Protect all networks')
              : change.kind === 'replace'
                ? replaceTitle(removed?.label)
                : removed?.label
                  ? t('Remove {owner}', { owner: removed.label })
                  : t('Remove an owner')}
          </h2>
          <span className="flex items-center gap-2.5">
            <Identicon address={owner} className="size-8" />
            <FullAddress address={owner} />
          </span>
          <p className="text-muted text-sm">{text()}</p>
        </div>
        {!isWhole &&
          risks.map(({ title, text: warning }) => (
            <Notice key={title} tone="error" title={title}>
              {warning}
            </Notice>
          ))}
        {error ? (
          <ErrorNotice error={error} onRetry={() => void Promise.all([plan.refetch(), status.refetch()])} />
        ) : plan.data && status.data && ownership ? (
          <>
            {steps.length > 0 && <RunProgress done={finished} total={steps.length} />}
            <ul aria-label={t('Networks')} className="divide-y divide-line border-line border-y empty:hidden">
              {steps.map((step) => (
                <RunRow
                  key={step.chainId}
                  network={step.network}
                  run={runOf(step)}
                  onSign={() => prepare(step)}
                  onCancel={operation.cancel}
                />
              ))}
            </ul>
            {isUnsigned && (
              <JointReview change={change} recovers={status.data.networks.some(({ recovery }) => recovery)} />
            )}
            {leavesOwner && finished > 0 && pending.length > 0 && (
              <Notice
                tone="warning"
                title={t('This owner can still sign on {networks}.', { networks: name(pending) })}
              >
                {together.length === pending.length
                  ? t('The change is on its way there.')
                  : t(
                      'Sign there too. An account that is not deployed yet keeps its first owners until you change them.',
                    )}
              </Notice>
            )}
            {left.length > 0 && (
              <Notice
                tone="warning"
                title={t('This owner is not on {networks}.', { networks: name(left) })}
                action={
                  <Button asChild variant="secondary" size="small">
                    <Link to="/sessions">{t('See your session keys')}</Link>
                  </Button>
                }
              >
                {t(
                  'If it was removed by another app, the session keys that it granted may still work there.',
                )}
              </Notice>
            )}
            {endedKeys.length > 0 && (
              <Notice
                title={t('All session keys ended.')}
                action={
                  <Button asChild variant="secondary" size="small">
                    <Link to="/sessions">{t('Renew session keys')}</Link>
                  </Button>
                }
              >
                {t('Renew those that you still want: apps can then act for you again.')}
              </Notice>
            )}
            {signing.error && <ErrorNotice error={signing.error} undone={t('Nothing has changed.')} />}
          </>
        ) : (
          <ListSkeleton label={t('Loading the owners')} />
        )}
        {!operation.data && (
          <div className="grid gap-2.5 sm:flex">
            {isUnsigned && plan.data && (
              <Button
                size="large"
                busy={signing.isPending}
                onClick={() => plan.data && signing.mutate(plan.data.joint)}
              >
                {signing.isPending ? t('Waiting for your passkey…') : t('Sign with passkey')}
              </Button>
            )}
            {next && (
              <Button size="large" busy={operation.isPending} onClick={() => prepare(next)}>
                {finished === 0
                  ? t('Start with {name}', { name: next.network.name })
                  : t('Continue with {name}', { name: next.network.name })}
              </Button>
            )}
            <Button
              size="large"
              variant={isWhole ? 'primary' : 'secondary'}
              onClick={() => {
                void queryClient.invalidateQueries({ queryKey: ['owners', account] })
                onClose()
              }}
            >
              {isWhole ? t('Done') : t('Finish later')}
            </Button>
          </div>
        )}
      </Card>
      {operation.data && (
        <OperationReview
          key={operation.data.verified.userOpHash}
          prepared={operation.data}
          names={names}
          onBack={operation.reset}
          onIncluded={() => goOn(operation.data?.network.chainId ?? 0)}
          next={<Button onClick={operation.reset}>{t('Back to the list')}</Button>}
        />
      )}
    </>
  )
}

/** What the one signature does, before it is given: the passkey's own prompt shows nothing of it. */
function JointReview({ change, recovers }: { change: OwnerChange; recovers: boolean }) {
  const added = change.kind === 'remove' ? undefined : ownerAddress(change.candidate)
  const removed = change.kind === 'add' ? undefined : change.owner
  return (
    <div className="grid gap-3 text-sm">
      {added && <Party term={t('This owner can then act alone')} address={added} />}
      {removed && <Party term={t('This owner can then no longer act')} address={removed} />}
      {removed && (
        <p className="text-muted">{t('All session keys end, also those that other owners granted.')}</p>
      )}
      {recovers && <p className="text-muted">{t('The recovery that is running ends.')}</p>}
      <p className="text-muted">{t('It also holds on networks that are added later.')}</p>
    </div>
  )
}

function RunProgress({ done, total }: { done: number; total: number }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm" role="status">
        {rich('{done} of {total} networks done', { done, total })}
      </p>
      <progress
        aria-label={t('Networks done')}
        value={done}
        max={total}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  )
}
