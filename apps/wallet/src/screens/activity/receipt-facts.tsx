import { nativeOf, usesOrder } from '@lanyard/calls'
import { formatAmount, shortAddress } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { type Address, isAddressEqual } from 'viem'
import { formatFee, formatPaidFee } from '../../amounts/amounts.ts'
import { Worth } from '../../holdings/worth.tsx'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { trackedOperations } from '../../sign-in/tracked-operations.ts'
import { legsOf, stateOfOrder } from '../../smart-balance/order-legs.ts'
import { OrderLegsList } from '../../smart-balance/order-legs-list.tsx'
import { unitOf } from '../../smart-balance/use-deposits.ts'
import { useOrderOf } from '../../smart-balance/use-orders.ts'
import type { OperationEntry } from './timeline.ts'

export function ReceiptFact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[min(5.5rem,104px)_minmax(0,1fr)] gap-3 py-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <dt className="text-muted">{term}</dt>
      <dd className="grid gap-0.5">{children}</dd>
    </div>
  )
}

/** Whether the combined balance pays for an operation and its fee. */
export const isCombined = ({ calls }: Pick<OperationEntry, 'calls'>, account: Address): boolean =>
  calls.some((call) => usesOrder(call, { account }))

interface EntryProps {
  readonly entry: OperationEntry
}

/** Which deposits paid, and how far their collection is. */
export function CombinedFacts({ entry: { operation } }: EntryProps) {
  const { data: networks } = useNetworks()
  const { data: order } = useOrderOf(operation)
  if (!order || !networks) return null
  const unit = unitOf(networks, order.outputNetwork)
  const debited = order.debits.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const sources = new Set([
    ...(BigInt(order.total) > debited ? [order.outputNetwork] : []),
    ...order.debits.map(({ network }) => network),
  ])
  return (
    <>
      <ReceiptFact term={t('Paid from')}>
        <span className="font-medium">{t('Combined balance')}</span>
        <span className="figures text-muted">
          {rich('{amount} {symbol} in all, from {networks}', {
            amount: formatAmount(BigInt(order.total), unit.decimals),
            symbol: unit.symbol,
            networks: nameNetworks(
              [...sources].sort((a, b) => a - b),
              networks,
            ),
          })}
        </span>
      </ReceiptFact>
      <div className="grid gap-2 py-3 sm:grid-cols-[6rem_minmax(0,1fr)] sm:gap-3">
        <dt className="text-muted">{t('Steps')}</dt>
        <dd>
          <OrderLegsList legs={legsOf(order)} networks={networks} unit={unit} />
        </dd>
      </div>
    </>
  )
}

/** What the account really paid for it, in the token that paid. */
export function FeeFact({ entry }: EntryProps) {
  const { account } = useSession()
  const { operation, network } = entry
  if (isCombined(entry, account)) return <CombinedFeeFact entry={entry} />
  const paid = operation.feePaid
  if (paid) {
    const currency = network?.currencies.find(({ token }) => token && isAddressEqual(token, paid.token))
    return (
      <ReceiptFact term={t('Fee')}>
        <span className="figures wrap-anywhere">
          {currency
            ? `${formatPaidFee(BigInt(paid.amount), currency.decimals)} ${currency.symbol}`
            : `${paid.amount} ${shortAddress(paid.token)}`}
        </span>
      </ReceiptFact>
    )
  }
  if (operation.paymaster)
    return (
      <ReceiptFact term={t('Fee')}>
        <span>{t('None')}</span>
        <span className="text-muted">{t('Paid for you')}</span>
      </ReceiptFact>
    )
  const native = nativeOf(network?.currencies ?? [])
  if (operation.gasCost)
    return (
      <ReceiptFact term={t('Fee')}>
        <span className="figures wrap-anywhere">
          {formatPaidFee(BigInt(operation.gasCost), native.decimals)} {native.symbol}
        </span>
        {network && (
          <Worth
            chainId={network.chainId}
            currency={native}
            amount={BigInt(operation.gasCost)}
            after={` ${t('today')}`}
          />
        )}
      </ReceiptFact>
    )
  const agreed = trackedOperations.find(operation.userOpHash)?.replaceable?.maxFee
  if (!agreed || operation.state === 'dropped' || operation.state === 'expired') return null
  return (
    <ReceiptFact term={t('Fee')}>
      <span className="figures">
        {t('At most {amount} {symbol}', {
          amount: formatFee(BigInt(agreed), native.decimals),
          symbol: native.symbol,
        })}
      </span>
    </ReceiptFact>
  )
}

function CombinedFeeFact({ entry: { operation } }: EntryProps) {
  const { data: networks } = useNetworks()
  const { data: order } = useOrderOf(operation)
  if (!order || !networks) return null
  const unit = unitOf(networks, order.outputNetwork)
  const fee = { amount: formatPaidFee(BigInt(order.fee), unit.decimals), symbol: unit.symbol }
  const state = stateOfOrder(order)
  if (state === 'EXPIRED') return null
  return (
    <ReceiptFact term={t('Fee')}>
      <span className="figures">
        {state === 'FAILED' ? t('At most {amount} {symbol}', fee) : `${fee.amount} ${fee.symbol}`}
      </span>
      <span className="text-muted">{t('Taken from your combined balance')}</span>
    </ReceiptFact>
  )
}
