import { Screen } from '@lanyard/ui'
import { Link, useSearchParams } from 'react-router'
import { t } from '../../i18n/t.ts'
import { hasSmartBalance, useNetworks } from '../../networks/use-networks.ts'
import { ExportLedger } from './export-ledger.tsx'
import { OrderList } from './order-list.tsx'
import { isFilter, TimelineFilter, TimelineList } from './timeline-list.tsx'

/** Past and pending operations and receipts in one list by date. */
export function ActivityScreen() {
  const { data: networks } = useNetworks()
  const [search, setSearch] = useSearchParams()
  const show = search.get('show')
  const filter = isFilter(show) ? show : 'all'
  if (show === 'payments')
    return (
      <Screen
        title={t('Payments')}
        narrow
        intro={t('From your combined balance, with each network’s share.')}
      >
        <p>
          <Link to="/activity" className="touch-area font-medium text-accent underline underline-offset-4">
            {t('All activity')}
          </Link>
        </p>
        <OrderList />
      </Screen>
    )
  return (
    <Screen title={t('Activity')} narrow>
      <TimelineFilter value={filter} onChange={(next) => setSearch({ show: next }, { replace: true })} />
      {filter === 'combined' && networks?.some(hasSmartBalance) && (
        <p>
          <Link
            to="/activity?show=payments"
            className="touch-area font-medium text-accent underline underline-offset-4"
          >
            {t('Payments step by step')}
          </Link>
        </p>
      )}
      <TimelineList filter={filter} />
      <ExportLedger />
    </Screen>
  )
}
