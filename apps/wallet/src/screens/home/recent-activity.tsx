import { Card, EmptyState, ListSkeleton } from '@lanyard/ui'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { ActivityDays } from '../activity/activity-days.tsx'
import { useTimeline } from '../activity/use-timeline.ts'

/** Rows on Home; Activity has all of them. */
const maxRows = 6

/** What happened last, by day. */
export function RecentActivity() {
  const { entries, activity } = useTimeline()
  const error = activity.data ? null : activity.error
  if (error) return <ErrorNotice error={error} onRetry={() => void activity.refetch()} />
  const recent = entries?.slice(0, maxRows)
  return (
    <Card aria-labelledby="activity" aria-busy={!recent} className="min-w-0 px-4 py-5 sm:px-5">
      <div className="flex items-center justify-between pb-1">
        <h2 id="activity" className="font-semibold">
          {t('Activity')}
        </h2>
        {recent && recent.length > 0 && (
          <Link
            to="/activity"
            className="touch-area flex min-w-11 items-center justify-end gap-1 text-muted text-sm hover:text-ink"
          >
            {t('All')}
            <ChevronRight className="size-4" aria-hidden="true" />
          </Link>
        )}
      </div>
      {!recent ? (
        <ListSkeleton label={t('Loading your activity')} />
      ) : recent.length === 0 ? (
        <EmptyState title={t('No activity yet')}>
          {t('What you send, receive and change appears here.')}
        </EmptyState>
      ) : (
        <ActivityDays entries={recent} heading="h3" />
      )}
    </Card>
  )
}
