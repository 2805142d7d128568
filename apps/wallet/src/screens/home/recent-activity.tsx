import { Avatar, Card, EmptyState, ListSkeleton, Spinner } from '@lanyard/ui'
import {
  ArrowDownLeft,
  ChevronRight,
  KeyRound,
  type LucideIcon,
  Plus,
  ShieldCheck,
  Timer,
  Zap,
} from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useGuardianNames } from '../../guardians/guardian.ts'
import { t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { ReceiptSheet } from '../activity/receipt-sheet.tsx'
import { dayOf, type RowView, rowView, stateText, timeOfDay } from '../activity/row-view.ts'
import type { TimelineEntry } from '../activity/timeline.ts'
import { usePartyNames, useTimeline } from '../activity/use-timeline.ts'

/** Rows on Home; Activity has all of them. */
const maxRows = 6

/** What happened last, by day. Each payment opens its receipt. */
export function RecentActivity() {
  const { account } = useSession()
  const { entries, activity, networks } = useTimeline()
  const names = new Map([...usePartyNames(), ...useGuardianNames()])
  const navigate = useNavigate()
  const [openedId, setOpenedId] = useState<string>()
  const error = activity.data ? null : activity.error
  if (error) return <ErrorNotice error={error} onRetry={() => void activity.refetch()} />

  const now = new Date()
  const rows = (entries ?? []).slice(0, maxRows).map((entry) => ({
    entry,
    view: rowView(entry, { account, networks: networks ?? [], names }),
  }))
  const days = new Map<string, typeof rows>()
  for (const row of rows) {
    const day = dayOf(row.view.at, now)
    days.set(day, [...(days.get(day) ?? []), row])
  }
  const opened = rows.find(({ view }) => view.id === openedId)
  const open = (entry: TimelineEntry, { id }: RowView) =>
    entry.kind === 'protection' ? void navigate('/protection') : setOpenedId(id)
  return (
    <>
      <Card aria-labelledby="activity" aria-busy={!entries} className="min-w-0 px-4 py-5 sm:px-5">
        <div className="flex items-center justify-between pb-1">
          <h2 id="activity" className="font-semibold">
            {t('Activity')}
          </h2>
          {rows.length > 0 && (
            <Link
              to="/activity"
              className="touch-area flex min-w-11 items-center justify-end gap-1 text-muted text-sm hover:text-ink"
            >
              {t('All')}
              <ChevronRight className="size-4" aria-hidden="true" />
            </Link>
          )}
        </div>
        {!entries ? (
          <ListSkeleton label={t('Loading your activity')} />
        ) : rows.length === 0 ? (
          <EmptyState title={t('No activity yet')}>
            {t('What you send, receive and change appears here.')}
          </EmptyState>
        ) : (
          [...days].map(([day, ofDay]) => (
            <div key={day}>
              <h3 className="pt-3 font-medium text-[0.8125rem] text-muted">{day}</h3>
              <ul aria-label={day}>
                {ofDay.map(({ entry, view }) => (
                  <li key={view.id}>
                    <ActivityRow view={view} onOpen={() => open(entry, view)} />
                  </li>
                ))}
              </ul>
            </div>
          ))
        )}
      </Card>
      {opened && opened.entry.kind !== 'protection' && (
        <ReceiptSheet
          entry={opened.entry}
          view={opened.view}
          names={names}
          onClose={() => setOpenedId(undefined)}
        />
      )}
    </>
  )
}

const icons: Readonly<Record<Exclude<RowView['mark'], 'party'>, LucideIcon>> = {
  protection: ShieldCheck,
  owners: KeyRound,
  sessions: Timer,
  deposit: Plus,
  other: Zap,
}

function ActivityRow({ view, onOpen }: { readonly view: RowView; readonly onOpen: () => void }) {
  const { title, mark, where, at, state, amount, sentence } = view
  const Icon =
    mark === 'party'
      ? undefined
      : mark === 'deposit' && amount?.direction === 'in'
        ? ArrowDownLeft
        : icons[mark]
  return (
    <button
      type="button"
      onClick={onOpen}
      className="-mx-2 flex min-h-14 w-[calc(100%+4*var(--spacing))] flex-wrap items-center gap-x-3 gap-y-0.5 rounded-field px-2 py-1.5 text-left hover:bg-sunken/60"
    >
      {Icon ? (
        <span
          className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-muted"
          aria-hidden="true"
        >
          <Icon className="size-4.5" />
        </span>
      ) : (
        <Avatar name={title.replace(/^0x/, '')} />
      )}
      <span className="sr-only">{sentence}</span>
      <span className="grid min-w-[6.5em] flex-1" aria-hidden="true">
        <span className="line-clamp-2 font-medium">{title}</span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-[0.8125rem] text-muted">
          {state === 'pending' ? (
            <span className="flex items-center gap-1.5 text-cord-ink">
              <Spinner />
              {stateText(view)}
            </span>
          ) : state === 'failed' ? (
            <span className="text-danger">{stateText(view)}</span>
          ) : (
            at && <span>{timeOfDay(at)}</span>
          )}
          {where && <span>· {where}</span>}
        </span>
      </span>
      {amount && (
        <span
          className={`figures ml-auto max-w-full text-right ${amount.direction === 'in' ? 'text-accent' : ''} ${state === 'failed' ? 'text-muted line-through' : ''}`}
          aria-hidden="true"
        >
          <span className="font-medium">{amount.text}</span>{' '}
          <span className="text-[0.8125rem]">{amount.symbol}</span>
        </span>
      )}
    </button>
  )
}
