import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { Button, Card, Details, EmptyState, ListSkeleton, Tag, Time } from '@lanyard/ui'
import { Link } from 'react-router'
import { formatAmount } from '../../amounts/amounts.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { legsOf, orderLabel } from '../../smart-balance/order-legs.ts'
import { OrderLegsList } from '../../smart-balance/order-legs-list.tsx'
import { unitOf } from '../../smart-balance/use-deposits.ts'
import { useOrders } from '../../smart-balance/use-orders.ts'

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

interface OrderRowProps {
  readonly order: EndpointOutput<typeof endpoints.smartBalance.orders>['orders'][number]
  readonly networks: readonly Network[]
}

/** One payment in a line, with its steps below. */
function OrderRow({ order, networks }: OrderRowProps) {
  const unit = unitOf(networks, order.outputNetwork)
  const { label, tone } = orderLabel(order)
  return (
    <li className="grid gap-1.5 p-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Link
          to={`/orders/${order.orderId}`}
          className="touch-area figures font-medium underline decoration-line underline-offset-4 hover:decoration-current"
        >
          {rich('{amount} {symbol} on {networks}', {
            amount: formatAmount(BigInt(order.amount), unit.decimals),
            symbol: unit.symbol,
            networks: nameNetworks([order.outputNetwork], networks),
          })}
        </Link>
        <Tag tone={tone}>{label}</Tag>
      </div>
      <p className="flex flex-wrap gap-x-4 text-muted text-sm">
        <Time at={order.createdAt} />
        <span className="figures">
          {rich('fee {amount} {symbol}', {
            amount: formatAmount(BigInt(order.fee), unit.decimals),
            symbol: unit.symbol,
          })}
        </span>
      </p>
      <Details summary={t('Steps')}>
        <OrderLegsList legs={legsOf(order)} networks={networks} unit={unit} />
      </Details>
    </li>
  )
}
