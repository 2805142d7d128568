import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useGuardianNames } from '../../guardians/guardian.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { ActivityRow } from './activity-row.tsx'
import { ReceiptSheet } from './receipt-sheet.tsx'
import { dayOf, rowView } from './row-view.ts'
import type { TimelineEntry } from './timeline.ts'
import { usePartyNames } from './use-timeline.ts'

interface ActivityDaysProps {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[]
  /** The element of a day's heading. */
  readonly heading: 'h2' | 'h3'
}

/** What happened, by day. Each row opens its receipt; what owners and guardians signed opens Protection. */
export function ActivityDays({ entries, heading: Heading }: ActivityDaysProps) {
  const { account } = useSession()
  const { data: networks = [] } = useNetworks()
  const names = new Map([...usePartyNames(), ...useGuardianNames()])
  const navigate = useNavigate()
  const [openedId, setOpenedId] = useState<string>()
  const now = new Date()
  const rows = entries.map((entry) => ({ entry, view: rowView(entry, { account, networks, names }) }))
  const days = Map.groupBy(rows, ({ view }) => dayOf(view.at, now))
  const opened = rows.find(({ view }) => view.id === openedId)
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <div key={day}>
          <Heading className="pt-3 font-medium text-[0.8125rem] text-muted">{day}</Heading>
          <ul aria-label={day}>
            {ofDay.map(({ entry, view }) => (
              <li key={view.id}>
                <ActivityRow
                  view={view}
                  onOpen={() =>
                    entry.kind === 'protection' ? void navigate('/protection') : setOpenedId(view.id)
                  }
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
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
