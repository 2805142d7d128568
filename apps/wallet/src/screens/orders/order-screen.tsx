import { callContext, describeCall, usesOrder } from '@lanyard/calls'
import { Button, Card, Fact, formatAmount, ListSkeleton, Screen, Tag, Time } from '@lanyard/ui'
import { Link, Navigate, useParams } from 'react-router'
import { isHash } from 'viem'
import { toCall } from '../../calls/to-call.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { Party } from '../../operation/party.tsx'
import { useActivity } from '../../operation/use-activity.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { isFinished, legsOf, type Order, orderLabel, stateOfOrder } from '../../smart-balance/order-legs.ts'
import { OrderLegsList } from '../../smart-balance/order-legs-list.tsx'
import { unitOf } from '../../smart-balance/use-deposits.ts'
import { useOrder } from '../../smart-balance/use-orders.ts'
import { paymentsOf } from '../activity/payments-of.ts'

/** One payment from the combined balance, shown until the last deposit that pays for it is settled. */
export function OrderScreen() {
  const { orderId = '' } = useParams()
  return isHash(orderId) ? (
    <FollowedOrder orderId={orderId} />
  ) : (
    <Navigate to="/activity?show=combined" replace />
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
          <Link to="/activity?show=combined">{t('All payments')}</Link>
        </Button>
      </div>
    </Screen>
  )
}

/** What each state means for the person. */
const notes: Readonly<Record<Order['state'], string>> = {
  RESERVED: t('Not signed yet, or your signature has not reached the service. Nothing moves without it.'),
  SUBMITTED: t('Signed and sent. You can leave this page.'),
  CLAIMED: t('It has arrived. You do not need to do anything else.'),
  ATTESTED: t('It has arrived. You do not need to do anything else.'),
  SETTLED: t('It has arrived and is settled.'),
  FAILED: t('The payment failed on its network and was reversed.'),
  EXPIRED: t('It was not sent in time. Nothing moved. You can send it again.'),
}

/** Who an order paid, by the operation that used it, once its transaction is known. */
function usePaymentsOf({ txnHash, outputNetwork }: Order, networks: readonly Network[]) {
  const { account } = useSession()
  const { data } = useActivity()
  const network = networks.find(({ chainId }) => chainId === outputNetwork)
  const context = callContext(account, network)
  const used = (data?.pages.flatMap(({ activity }) => activity) ?? [])
    .filter((operation) => txnHash !== undefined && operation.txnHash === txnHash)
    .map(({ calls }) => calls.map((call) => describeCall(toCall(call), context)))
    .filter((calls) => calls.some((call) => usesOrder(call, context)))
  // One transaction can carry two payments, and nothing says which of them is this order's.
  return used.length === 1 ? paymentsOf(used[0] ?? [], account) : []
}

/** A payment with who gets it, and all its steps. */
function OrderCard({ order, networks }: { order: Order; networks: readonly Network[] }) {
  const payments = usePaymentsOf(order, networks)
  const names = useRecipientNames()
  const unit = unitOf(networks, order.outputNetwork)
  const { label, tone } = orderLabel(order)
  const money = (amount: string) => `${formatAmount(BigInt(amount), unit.decimals)} ${unit.symbol}`
  return (
    <Card aria-labelledby="order" className="grid gap-5 p-5 sm:p-6" aria-busy={!isFinished(order)}>
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2 id="order" className="figures font-semibold text-xl">
            {rich('{amount} on {networks}', {
              amount: money(order.amount),
              networks: nameNetworks([order.outputNetwork], networks),
            })}
          </h2>
          <span role="status">
            <Tag tone={tone}>{label}</Tag>
          </span>
        </div>
        <p className="text-muted text-sm">{notes[stateOfOrder(order)]}</p>
      </div>
      {payments.map(({ to, currency }) => (
        <Party key={`${to} ${currency.symbol}`} term={t('to')} address={to} names={names} />
      ))}
      <OrderLegsList legs={legsOf(order)} networks={networks} unit={unit} />
      <dl className="grid gap-2.5 border-line border-t pt-4 text-sm">
        <Fact term={t('Fee, including network fees')}>
          <span className="figures">{money(order.fee)}</span>
        </Fact>
        <Fact term={t('Taken from your combined balance')}>
          <span className="figures">{money(order.total)}</span>
        </Fact>
        {(order.state === 'RESERVED' || order.state === 'SUBMITTED') && (
          <Fact term={t('Expires')}>
            <Time at={order.expiresAt} />
          </Fact>
        )}
      </dl>
    </Card>
  )
}
