import { Button, Card, EmptyState, ListSkeleton } from '@lanyard/ui'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useOrders } from '../../smart-balance/use-orders.ts'
import { OrderRow } from './order-row.tsx'

/** Payments from the combined balance, newest first. */
export function OrderList() {
  const { data: networks } = useNetworks()
  const orders = useOrders()
  if (orders.error && !orders.data)
    return <ErrorNotice error={orders.error} onRetry={() => void orders.refetch()} />
  if (!orders.data || !networks) return <ListSkeleton label={t('Loading your payments')} />

  const rows = orders.data.pages.flatMap((page) => page.orders)
  if (rows.length === 0)
    return (
      <EmptyState
        title={t('Nothing yet')}
        action={
          <Button asChild variant="secondary">
            <Link to="/send">{t('Send')}</Link>
          </Button>
        }
      >
        {t('Payments from your combined balance appear here, with each network’s share.')}
      </EmptyState>
    )
  return (
    <div className="grid gap-4">
      <Card>
        <ul className="divide-y divide-line" aria-label={t('Payments from the combined balance')}>
          {rows.map((order) => (
            <OrderRow key={order.orderId} order={order} networks={networks} />
          ))}
        </ul>
      </Card>
      {orders.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          busy={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >
          {t('Show older')}
        </Button>
      )}
    </div>
  )
}
