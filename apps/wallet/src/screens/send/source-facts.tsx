import type { Currency } from '@lanyard/calls'
import {
  Button,
  Countdown,
  Fact,
  Field,
  formatAmount,
  Notice,
  Select,
  Skeleton,
  useDebounced,
} from '@lanyard/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { toInput } from '../../amounts/amounts.ts'
import { describeProblem } from '../../errors/describe-problem.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { type Network, type SmartBalanceNetwork, useNetworks } from '../../networks/use-networks.ts'
import { PaymentSources } from '../../operation/payment-facts.tsx'
import { useSession } from '../../sign-in/session-context.tsx'
import { fetchQuote, type PaymentRequest, type Quote } from '../../smart-balance/quote.ts'
import { readPaymentRequest } from './combined-draft.ts'
import type { Draft } from './draft.ts'
import { isSettled, type PaymentSource } from './payment-source.ts'

interface SourceFactsProps {
  readonly network: Network
  readonly currency: Currency
  readonly source: PaymentSource
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}

/** Where the money comes from, and the price if the combined balance pays. Renders nothing for other currencies. */
export function SourceFacts({ network, currency, source, draft, onChange }: SourceFactsProps) {
  if (!isSettled(network, currency)) return null
  const request = readPaymentRequest(draft, network.chainId)
  if (source === 'account')
    return request ? (
      <p className="text-muted text-sm">
        {t('Your account on {network} pays. You pay only the network fee, which you see before you sign.', {
          network: network.name,
        })}
      </p>
    ) : null
  return (
    <>
      {request && (
        <p className="text-muted text-sm">
          {t('Your combined balance pays, with one signature. The money arrives on {network}.', {
            network: network.name,
          })}
        </p>
      )}
      <Field label={t('The amount is')}>
        {(control) => (
          <Select
            {...control}
            value={draft.type}
            onChange={({ target: { value } }) =>
              onChange({ type: value === 'AMOUNT_IN' ? 'AMOUNT_IN' : 'AMOUNT_OUT' })
            }
          >
            <option value="AMOUNT_OUT">{t('What the recipient gets')}</option>
            <option value="AMOUNT_IN">{t('What I pay, including the fee')}</option>
          </Select>
        )}
      </Field>
      <QuoteFacts network={network} request={request} onAmount={(amount) => onChange({ amount })} />
    </>
  )
}

interface QuoteFactsProps {
  readonly network: SmartBalanceNetwork
  /** Undefined if the draft cannot be priced yet. */
  readonly request: PaymentRequest | undefined
  /** Sets the amount that the quote suggests instead. */
  readonly onAmount: (amount: string) => void
}

/** The cost of a payment and its sources, updated while the form is filled in. */
function QuoteFacts({ network, request, onAmount }: QuoteFactsProps) {
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

/** Milliseconds. Deposits become final and liquidity changes. */
const pollInterval = 10_000

const keyOf = (request: PaymentRequest | undefined) =>
  request && `${request.chainId} ${request.type} ${request.amount}`

/**
 * The price of a payment being typed, kept up to date. Idle without a request. The last price stays as
 * `outdated` until the next one is known.
 */
function useQuote(request: PaymentRequest | undefined) {
  const { account } = useSession()
  const key = keyOf(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal requests are one
  const stable = useMemo(() => request, [key])
  const settled = useDebounced(stable)
  const quote = useQuery({
    queryKey: ['quote', account, keyOf(settled)],
    queryFn: ({ signal }) => (settled ? fetchQuote(account, settled, signal) : undefined),
    enabled: settled !== undefined,
    refetchInterval: pollInterval,
    placeholderData: keepPreviousData,
  })
  return { ...quote, outdated: quote.isPlaceholderData || key !== keyOf(settled) }
}
