import { Button, ListSkeleton, Screen } from '@lanyard/ui'
import { Link, Navigate, useParams } from 'react-router'
import { isHash } from 'viem'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useOrder } from '../../smart-balance/use-order.ts'
import { OrderCard } from './order-card.tsx'

/** One payment from the combined balance, shown until the last deposit that pays for it is settled. */
export function OrderScreen() {
  const { orderId = '' } = useParams()
  return isHash(orderId) ? (
    <FollowedOrder orderId={orderId} />
  ) : (
    <Navigate to="/activity?show=payments" replace />
  )
}

function FollowedOrder({ orderId }: { orderId: `0x${string}` }) {
  const networks = useNetworks()
  const order = useOrder(orderId)
  const error = networks.error ?? (order.data ? null : order.error)
  return (
    <Screen title={t('Payment')} narrow>
      {error ? (
        <ErrorNotice error={error} onRetry={() => void Promise.all([networks.refetch(), order.refetch()])} />
      ) : !order.data || !networks.data ? (
        <ListSkeleton label={t('Loading the payment')} />
      ) : (
        <OrderCard order={order.data} networks={networks.data} />
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button asChild>
          <Link to="/">{t('Home')}</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/send">{t('Send again')}</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link to="/activity?show=payments">{t('All payments')}</Link>
        </Button>
      </div>
    </Screen>
  )
}
