import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isAddressEqual } from 'viem'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { type NetworkChange, type OwnerChange, planOwnerChange } from '../../owners/owner-change.ts'
import { prepareOwnerChange } from '../../owners/prepare-owner-change.ts'
import { type RemovalRisk, removalRisks } from '../../owners/removal-risks.ts'
import { endRemoval, startRemoval } from '../../owners/unfinished-removals.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { ownerAddress } from '../../owners/verify-owner-change.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type NetworkRun, RunRow } from './run-row.tsx'

interface OwnerRunProps {
  readonly change: OwnerChange
  readonly networks: readonly Network[]
  readonly onClose: () => void
}

/**
 * Makes an owner change on every network: one list, with one signature for each network. After each
 * signature, the next operation is prepared automatically. A person who stops can continue later.
 */
export function OwnerRun({ change, networks, onClose }: OwnerRunProps) {
  const session = useSession()
  const queryClient = useQueryClient()
  const { account } = session
  const { data: ownership } = useOwners()
  const owner = change.kind === 'add' ? ownerAddress(change.candidate) : change.owner
  const [signed, setSigned] = useState<readonly number[]>([])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const plan = useQuery({
    // The key starts with "owners", so that an included operation invalidates it.
    queryKey: ['owners', account, change.kind, owner],
    queryFn: ({ signal }) => planOwnerChange(account, change, networks, signal),
  })
  const operation = useCancellableMutation({
    mutationFn: (signal, { network, calls }: { network: Network; calls: NetworkChange['calls'] }) =>
      prepareOwnerChange(session, network, calls, signal),
  })

  const steps = (plan.data ?? []).flatMap((step) => {
    const network = networks.find(({ chainId }) => chainId === step.chainId)
    const status = signed.includes(step.chainId) ? 'done' : step.status
    return network ? [{ ...step, network, status }] : []
  })
  const current = operation.data?.network.chainId ?? operation.variables?.network.chainId
  const pending = steps.filter(({ status }) => status === 'pending')
  const done = steps.length - pending.length - steps.filter(({ status }) => status === 'down').length
  const isWhole = plan.data !== undefined && done === steps.length
  const prepare = ({ network, calls }: (typeof steps)[number]) => operation.mutate({ network, calls })
  const removed = ownership?.owners.find(({ address }) => isAddressEqual(address, owner))
  const isRemoval = change.kind === 'remove'
  const risks =
    isRemoval && removed && ownership ? removalRisks(removed, ownership, session.credentialId) : []
  const names = removed?.label ? new Map([[owner.toLowerCase(), removed.label]]) : undefined
  useEffect(() => {
    if (isRemoval && isWhole) endRemoval(account, owner)
  }, [isRemoval, isWhole, account, owner])
  const goOn = (included: number) => {
    if (isRemoval) startRemoval(account, owner)
    setSigned((last) => [...last, included])
    operation.reset()
    const next = pending.find(({ chainId }) => chainId !== included)
    if (next) prepare(next)
    else heading.current?.focus()
  }
  const runOf = (chainId: number, status: NetworkChange['status']): NetworkRun => {
    if (status !== 'pending' || chainId !== current) return { state: status }
    if (operation.data) return { state: 'signing' }
    if (operation.error) return { state: 'failed', error: operation.error }
    return { state: operation.isPending ? 'preparing' : 'pending' }
  }
  const next = pending[0]
  return (
    <>
      <Card aria-labelledby="run" className="grid gap-4 p-5">
        <div className="grid gap-2">
          <h2 id="run" ref={heading} tabIndex={-1} className="font-semibold text-lg">
            {isRemoval
              ? removed?.label
                ? t('Remove {owner}', { owner: removed.label })
                : t('Remove an owner')
              : t('Protect all networks')}
          </h2>
          <span className="flex items-center gap-2.5">
            <Identicon address={owner} className="size-8" />
            <FullAddress address={owner} />
          </span>
          <p className="text-muted text-sm">
            {isWhole
              ? change.kind === 'add'
                ? t('This owner can act for your account on every network.')
                : t('This owner cannot act for your account on any network.')
              : t(
                  'Each network keeps its own list of owners, so you sign once on each. We take you through them.',
                )}
          </p>
        </div>
        {!isWhole &&
          risks.map((risk) => (
            <Notice key={risk} tone="error" title={riskTexts[risk].title}>
              {riskTexts[risk].text}
            </Notice>
          ))}
        {plan.error && !plan.data ? (
          <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />
        ) : plan.data ? (
          <>
            {steps.length > 0 && <RunProgress done={done} total={steps.length} />}
            <ul aria-label={t('Networks')} className="divide-y divide-line border-line border-y empty:hidden">
              {steps.map((step) => (
                <RunRow
                  key={step.chainId}
                  network={step.network}
                  run={runOf(step.chainId, step.status)}
                  onSign={() => prepare(step)}
                  onCancel={operation.cancel}
                />
              ))}
            </ul>
            {change.kind === 'remove' && done > 0 && pending.length > 0 && (
              <Notice
                tone="warning"
                title={t('This owner can still sign on {networks}.', {
                  networks: nameNetworks(
                    pending.map(({ chainId }) => chainId),
                    networks,
                  ),
                })}
              >
                {t(
                  'Sign there too. An account that is not deployed yet keeps its first owners until you change them.',
                )}
              </Notice>
            )}
          </>
        ) : (
          <ListSkeleton label={t('Loading the owners')} />
        )}
        {!operation.data && (
          <div className="grid gap-2.5 sm:flex">
            {next && (
              <Button size="large" busy={operation.isPending} onClick={() => prepare(next)}>
                {done === 0
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
          {...(names && { names })}
          onBack={operation.reset}
          onIncluded={() => goOn(operation.data?.network.chainId ?? 0)}
          next={<Button onClick={operation.reset}>{t('Back to the list')}</Button>}
        />
      )}
    </>
  )
}

const riskTexts: Readonly<Record<RemovalRisk, { title: string; text: string }>> = {
  'in-use': {
    title: t('You signed in with this passkey.'),
    text: t(
      'Once it is removed, it no longer opens this account. Make sure that you can sign in with another owner first.',
    ),
  },
  'last-passkey': {
    title: t('This is the last passkey.'),
    text: t(
      'This wallet signs with passkeys. Without one, you can act only with your recovery address, on the recovery page.',
    ),
  },
  'last-address': {
    title: t('This is the last recovery address.'),
    text: t('Passkeys work only at {hostname}. If this site goes away, nobody can move your funds.', {
      hostname: globalThis.location?.hostname ?? t('this site'),
    }),
  },
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
