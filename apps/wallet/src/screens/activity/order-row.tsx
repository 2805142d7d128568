import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { Details, Tag, Time } from '@lanyard/ui'
import { Link } from 'react-router'
import { formatAmount } from '../../amounts/format-amount.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { legsOf, orderLabel } from '../../smart-balance/order-legs.ts'
import { OrderLegsList } from '../../smart-balance/order-legs-list.tsx'
import { unitOf } from '../../smart-balance/units.ts'

interface OrderRowProps {
  readonly order: EndpointOutput<typeof endpoints.smartBalance.orders>['orders'][number]
  readonly networks: readonly Network[]
}

/** One payment in a line, with its steps below. */
export function OrderRow({ order, networks }: OrderRowProps) {
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
