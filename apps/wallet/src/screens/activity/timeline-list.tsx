import { Button, Card, EmptyState, ListSkeleton, Notice, Time } from '@lanyard/ui'
import { ShieldCheck } from 'lucide-react'
import { ToggleGroup } from 'radix-ui'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useGuardianNames } from '../../guardians/guardian.ts'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer, nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { RowIcon } from './counterparty.tsx'
import { changeOf, describeAct } from './describe-act.ts'
import { OperationRow } from './operation-row.tsx'
import { ReceiptRow } from './receipt-row.tsx'
import type { ProtectionEntry } from './timeline.ts'
import { usePartyNames, useTimeline } from './use-timeline.ts'

/** Everything that happened to the account, by date. */
export function TimelineList({ filter }: { filter: TimelineFilterValue }) {
  const { entries, activity, transfers, networks, balances } = useTimeline()
  const names = usePartyNames()
  const guardianNames = new Map([...names, ...useGuardianNames()])
  const error = activity.data ? null : activity.error
  if (error) return <ErrorNotice error={error} onRetry={() => void activity.refetch()} />
  if (!entries || !networks) return <ListSkeleton label={t('Loading your activity')} />

  const shown =
    filter === 'all' ? entries : entries.filter(({ topics }) => topics.some((one) => one === filter))
  // Somebody who has nothing cannot send. What cannot be read may be something.
  const isEmpty =
    balances.data?.every(
      ({ available, native, tokens }) =>
        available && native === 0n && tokens.every(({ balance }) => balance === 0n),
    ) ?? false
  const down = transfers.data?.networks.filter(({ available }) => !available) ?? []
  return (
    <div className="grid gap-4">
      {down.length > 0 && (
        <Notice tone="warning">
          {rich('{outage}. What arrived there lately is missing below.', {
            outage: doNotAnswer(
              down.map(({ network }) => Number(network)),
              networks,
            ),
          })}
        </Notice>
      )}
      {transfers.error && !transfers.data && (
        <ErrorNotice error={transfers.error} onRetry={() => void transfers.refetch()} />
      )}
      {shown.length === 0 ? (
        <EmptyState
          title={filter === 'received' ? t('No incoming transfers yet') : t('No activity yet')}
          action={
            <Button asChild variant="secondary">
              {filter === 'received' ? (
                <Link to="/receive">{t('Show my address')}</Link>
              ) : isEmpty ? (
                <Link to="/receive">{t('Receive')}</Link>
              ) : (
                <Link to="/send">{t('Send')}</Link>
              )}
            </Button>
          }
        >
          {filter === 'received'
            ? t('Incoming transfers appear here.')
            : t('What you send, receive and change appears here.')}
        </EmptyState>
      ) : (
        <Card>
          <ul className="divide-y divide-line" aria-label={t('Activity')}>
            {shown.map((entry) =>
              entry.kind === 'operation' ? (
                <OperationRow key={entry.operation.userOpHash} entry={entry} names={names} />
              ) : entry.kind === 'protection' ? (
                <ProtectionRow key={entry.id} entry={entry} networks={networks} names={guardianNames} />
              ) : (
                <ReceiptRow key={entry.id} receipt={entry} names={names} />
              ),
            )}
          </ul>
        </Card>
      )}
      {activity.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          busy={activity.isFetchingNextPage}
          onClick={() => void activity.fetchNextPage()}
        >
          {t('Show older')}
        </Button>
      )}
    </div>
  )
}

interface ProtectionRowProps {
  readonly entry: ProtectionEntry
  readonly networks: readonly Network[]
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** What owners or guardians signed once for all networks, or what came of it. */
function ProtectionRow({ entry: { act, at }, networks, names }: ProtectionRowProps) {
  const isDone = act.networks.length > 0
  return (
    <li className="flex gap-3 p-4 sm:px-5">
      <RowIcon Icon={ShieldCheck} tone="neutral" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">{describeAct(act, names)}</p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
          {isDone && <span>{nameNetworks(act.networks, networks)}</span>}
          <Time at={at} />
        </p>
        {act.endsRecovery && changeOf(act)?.kind !== 'cancel' && (
          <p className="text-muted text-sm">{t('It ended the recovery.')}</p>
        )}
        {act.waiting.length > 0 && (
          <p className="text-cord-ink text-sm">
            {t('Not on {networks}', { networks: nameNetworks(act.waiting, networks) })}
          </p>
        )}
      </div>
    </li>
  )
}

const filters = [
  { value: 'all', label: t('All') },
  { value: 'sent', label: t('Sent') },
  { value: 'received', label: t('Received') },
  { value: 'combined', label: t('Combined balance') },
  { value: 'owners', label: t('Owners') },
  { value: 'sessions', label: t('Session keys') },
] as const

export type TimelineFilterValue = (typeof filters)[number]['value']

export const isFilter = (value: string | null): value is TimelineFilterValue =>
  filters.some((filter) => filter.value === value)

/** Selects the kinds of entries to show. */
export function TimelineFilter({
  value,
  onChange,
}: {
  value: TimelineFilterValue
  onChange: (value: TimelineFilterValue) => void
}) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      aria-label={t('Show')}
      onValueChange={(next) => isFilter(next) && onChange(next)}
      className="flex flex-wrap gap-2"
    >
      {filters.map((filter) => (
        <ToggleGroup.Item
          key={filter.value}
          value={filter.value}
          className="min-h-11 rounded-full border border-line px-4 font-medium text-muted text-sm transition-colors hover:text-ink data-[state=on]:border-transparent data-[state=on]:bg-primary data-[state=on]:text-on-primary forced-colors:data-[state=on]:bg-[Highlight] forced-colors:data-[state=on]:text-[HighlightText] forced-colors:data-[state=on]:forced-color-adjust-none"
        >
          {filter.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
