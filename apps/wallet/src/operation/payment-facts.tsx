import { Countdown, Fact } from '@lanyard/ui'
import { formatAmount } from '../amounts/format-amount.ts'
import { t } from '../i18n/t.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { payableUntil } from './payable-until.ts'
import { PaymentSources } from './payment-sources.tsx'
import type { PreparedOperation, PreparedPayment } from './prepare-operation.ts'

interface PaymentFactsProps {
  readonly network: PreparedOperation['network']
  readonly payment: PreparedPayment
}

/** The cost of a payment and its debits, as its bytes define them. */
export function PaymentFacts({ network, payment }: PaymentFactsProps) {
  const { data: networks = [] } = useNetworks()
  const unit = network.smartBalance?.unit
  if (!unit) return null
  const { plan } = payment
  const money = (amount: bigint) => `${formatAmount(amount, unit.decimals)} ${unit.symbol}`
  return (
    <>
      <Fact term={t('Arrives on')}>{network.name}</Fact>
      <Fact term={t('Fee, including network fees')}>
        <span className="figures">{money(plan.fee)}</span>
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
