import { Button, Countdown, Fact, Notice, Skeleton } from '@lanyard/ui'
import { formatAmount, toInput } from '../../amounts/format-amount.ts'
import { describeProblem } from '../../errors/describe-problem.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import type { SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { PaymentSources } from '../../operation/payment-sources.tsx'
import type { PaymentRequest, Quote } from '../../smart-balance/quote.ts'
import { useQuote } from '../../smart-balance/use-quote.ts'

interface QuoteFactsProps {
  readonly network: SmartBalanceNetwork
  /** Undefined if the draft cannot be priced yet. */
  readonly request: PaymentRequest | undefined
  /** Sets the amount that the quote suggests instead. */
  readonly onAmount: (amount: string) => void
}

/** The cost of a payment and its sources, updated while the form is filled in. */
export function QuoteFacts({ network, request, onAmount }: QuoteFactsProps) {
  const { data: networks = [] } = useNetworks()
  const quote = useQuote(request)
  const { unit } = network.smartBalance
  if (!request) return null
  if (quote.error && !quote.isFetching)
    return <ErrorNotice error={quote.error} onRetry={() => void quote.refetch()} />
  if (!quote.data) return <Skeleton className="h-24 w-full" />
  if (!quote.data.ok) return <ProblemNotice problem={quote.data} unit={unit} onAmount={onAmount} />

  const { plan, expiresAt } = quote.data
  const money = (amount: bigint) => `${formatAmount(amount, unit.decimals)} ${unit.symbol}`
  return (
    <section aria-label={t('Price')} aria-busy={quote.outdated} className="rounded-field bg-sunken p-4">
      <dl className="grid gap-2.5 text-sm">
        <Fact term={t('Recipient gets')}>
          <span className="figures">{money(plan.amount)}</span>
        </Fact>
        <Fact term={t('Fee, including network fees')}>
          <span className="figures">{money(plan.fee)}</span>
        </Fact>
        <Fact term={t('You pay')}>
          <strong className="figures font-semibold">{money(plan.total)}</strong>
        </Fact>
        <PaymentSources plan={plan} outputNetwork={network.chainId} networks={networks} unit={unit} />
        <Fact term={t('Price valid for')}>
          <Countdown until={Date.parse(expiresAt)} />
        </Fact>
      </dl>
    </section>
  )
}

function ProblemNotice({
  problem,
  unit,
  onAmount,
}: {
  problem: Extract<Quote, { ok: false }>
  unit: SmartBalanceNetwork['smartBalance']['unit']
  onAmount: (amount: string) => void
}) {
  const { title, advice, instead } = describeProblem(problem, unit)
  return (
    <Notice
      tone="error"
      title={title}
      action={
        instead !== undefined && (
          <Button variant="secondary" size="small" onClick={() => onAmount(toInput(instead, unit.decimals))}>
            {rich('Use {amount} {symbol}', {
              amount: formatAmount(instead, unit.decimals),
              symbol: unit.symbol,
            })}
          </Button>
        )
      }
    >
      {advice}
    </Notice>
  )
}
