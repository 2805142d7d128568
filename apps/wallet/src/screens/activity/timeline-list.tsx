import { Button, Card, EmptyState, ListSkeleton, Notice } from '@lanyard/ui'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useGuardianNames } from '../../guardians/guardian.ts'
import { readEarlyReceipts } from '../../holdings/early-receipts.ts'
import { useBalances } from '../../holdings/use-balances.ts'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/do-not-answer.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useActivity } from '../../operation/use-activity.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { OperationRow } from './operation-row.tsx'
import { ProtectionRow } from './protection-row.tsx'
import { ReceiptRow } from './receipt-row.tsx'
import { toTimeline } from './timeline.ts'
import type { TimelineFilterValue } from './timeline-filter.tsx'
import { usePartyNames } from './use-party-names.ts'
import { useTransfers } from './use-transfers.ts'

/** Everything that happened to the account, by date. */
export function TimelineList({ filter }: { filter: TimelineFilterValue }) {
  const { account } = useSession()
  const { data: networks } = useNetworks()
  const activity = useActivity()
  const transfers = useTransfers()
  const balances = useBalances()
  const names = usePartyNames()
  const guardianNames = new Map([...names, ...useGuardianNames()])
  const error = activity.data ? null : activity.error
  if (error) return <ErrorNotice error={error} onRetry={() => void activity.refetch()} />
  if (!activity.data || !networks || (transfers.isPending && !transfers.error))
    return <ListSkeleton label={t('Loading your activity')} />

  const entries = toTimeline({
    account,
    networks,
    operations: activity.data.pages.flatMap((page) => page.activity),
    protection: activity.data.pages[0]?.protection ?? [],
    received: transfers.data?.networks ?? [],
    balances: balances.data ?? [],
    early: readEarlyReceipts(account),
    hasOlder: activity.hasNextPage,
  })
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
          {rich('{outage}. What arrived there is missing below.', {
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
