import type { OrderPlan } from '@lanyard/smart-balance'
import type { Currency } from '../amounts/currency.ts'
import { formatAmount } from '../amounts/format-amount.ts'
import { rich, t } from '../i18n/t.ts'
import { nameNetworks } from '../networks/name-networks.ts'
import type { Network } from '../networks/use-networks.ts'

interface PaymentSourcesProps {
  readonly plan: OrderPlan
  readonly outputNetwork: number
  readonly networks: readonly Network[]
  readonly unit: Currency
}

/** The deposits that pay, by network, as entries of a `<dl>`. */
export function PaymentSources({ plan, outputNetwork, networks, unit }: PaymentSourcesProps) {
  const own = plan.withdrawal.amount + plan.withdrawal.fee
  const sources = [
    ...(own > 0n ? [{ network: outputNetwork, amount: own }] : []),
    ...plan.debits.map(({ network, amount }) => ({ network, amount })),
  ].sort((a, b) => a.network - b.network)
  return (
    <div className="grid gap-1">
      <dt className="sr-only">{t('Paid from')}</dt>
      {sources.map(({ network, amount }) => (
        <dd
          key={network}
          className="flex flex-wrap justify-between gap-x-6 border-line border-l-2 pl-3 text-muted"
        >
          <span>{rich('from {networks}', { networks: nameNetworks([network], networks) })}</span>
          <span className="figures">
            {formatAmount(amount, unit.decimals)} {unit.symbol}
          </span>
        </dd>
      ))}
    </div>
  )
}
