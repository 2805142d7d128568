import { Screen } from '@lanyard/ui'
import { useSearchParams } from 'react-router'
import { t } from '../../i18n/t.ts'
import { ExportLedger } from './export-ledger.tsx'
import { isFilter, TimelineFilter, TimelineList } from './timeline-list.tsx'

/** Past and pending operations and receipts in one list by date. */
export function ActivityScreen() {
  const [search, setSearch] = useSearchParams()
  const show = search.get('show')
  const filter = isFilter(show) ? show : 'all'
  return (
    <Screen title={t('Activity')} narrow>
      <TimelineFilter value={filter} onChange={(next) => setSearch({ show: next }, { replace: true })} />
      <TimelineList filter={filter} />
      <ExportLedger />
    </Screen>
  )
}
