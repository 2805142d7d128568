import type { Currency } from '@lanyard/calls'
import type { OrderPlan } from '@lanyard/smart-balance'
import { Countdown, Fact, formatAmount } from '@lanyard/ui'
import { Worth } from '../holdings/worth.tsx'
import { rich, t } from '../i18n/t.ts'
import { nameNetworks } from '../networks/name-networks.ts'
import { type Network, useNetworks } from '../networks/use-networks.ts'
import { type PreparedOperation, type PreparedPayment, payableUntil } from './prepare-operation.ts'

interface PaymentFactsProps {
  readonly network: PreparedOperation['network']
  readonly payment: PreparedPayment
}

/** The cost of a payment and its debits, as its bytes define them. */
export function PaymentFacts({ network, payment }: PaymentFactsProps) {
  const { data: networks = [] } = useNetworks()
  if (!network.smartBalance) return null
  const { unit } = network.smartBalance
  const { plan } = payment
  const money = (amount: bigint) => `${formatAmount(amount, unit.decimals)} ${unit.symbol}`
  return (
    <>
      <Fact term={t('Arrives on')}>{network.name}</Fact>
      <Fact term={t('Fee, including network fees')}>
        <span className="figures">{money(plan.fee)}</span>{' '}
        <Worth
          chainId={network.chainId}
          currency={{ ...unit, token: network.smartBalance.token.token }}
          amount={plan.fee}
          round="up"
        />
      </Fact>
      <Fact term={t('Taken from your combined balance')}>
        <strong className="figures font-semibold">{money(plan.total)}</strong>
      </Fact>
      <PaymentSources plan={plan} outputNetwork={network.chainId} networks={networks} unit={unit} />
      <Fact term={t('Sign within')}>
        <Countdown until={payableUntil(payment)} />
      </Fact>
    </>
  )
}

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
