import { Button, Card, EmptyState, ListSkeleton, Notice } from '@lanyard/ui'
import { ToggleGroup } from 'radix-ui'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/name-networks.ts'
import { ActivityDays } from './activity-days.tsx'
import { useTimeline } from './use-timeline.ts'

/** Everything that happened to the account, by date. */
export function TimelineList({ filter }: { filter: TimelineFilterValue }) {
  const { entries, activity, transfers, networks, balances } = useTimeline()
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
        <Card aria-label={t('Activity')} className="px-4 pb-4 sm:px-5">
          <ActivityDays entries={shown} heading="h2" />
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
