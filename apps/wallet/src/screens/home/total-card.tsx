import { Button, Card, NetworkMark, networkHue, Skeleton } from '@lanyard/ui'
import { ArrowDownLeft, ArrowDownToLine, Send } from 'lucide-react'
import { Link } from 'react-router'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useBalances } from '../../holdings/use-balances.ts'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/name-networks.ts'
import { hasSmartBalance, useNetworks } from '../../networks/use-networks.ts'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { DepositSummary } from './deposit-summary.tsx'
import { type Total, totalsOf } from './total.ts'

/** The main actions, most likely first. */
const actions = [
  { to: '/send', label: t('Send'), Icon: Send },
  { to: '/receive', label: t('Receive'), Icon: ArrowDownLeft },
  { to: '/deposit', label: t('Deposit'), Icon: ArrowDownToLine },
] as const

/** The total in the account and the combined balance, with the three main actions. */
export function TotalCard() {
  const networks = useNetworks()
  const balances = useBalances()
  const deposits = useDeposits()
  const error = networks.error ?? (balances.data ? null : balances.error)
  if (error)
    return (
      <ErrorNotice
        error={error}
        onRetry={() => void Promise.all([networks.refetch(), balances.refetch(), deposits.refetch()])}
      />
    )
  const combined = networks.data?.some(hasSmartBalance) ?? false
  const isKnown = networks.data && balances.data && (!combined || deposits.data || deposits.error)
  const totals = isKnown ? totalsOf(networks.data, balances.data, deposits.data) : undefined
  const [main, ...others] = totals ?? []
  const down = [
    ...new Set([
      ...(balances.data ?? []).flatMap(({ chainId, available }) => (available ? [] : [chainId])),
      ...(deposits.data?.unavailable ?? []),
    ]),
  ]
  // Somebody who has nothing cannot send or deposit. What cannot be read may be something.
  const isEmpty = totals?.every(({ amount }) => amount === 0n) ?? false
  const offered = (
    isEmpty && down.length === 0 ? actions.filter(({ to }) => to === '/receive') : actions
  ).filter(({ to }) => combined || to !== '/deposit')
  return (
    <Card aria-labelledby="total" aria-busy={!isKnown} className="grid gap-5 p-5 sm:p-6">
      <div className="grid gap-3">
        <h2 id="total" className="text-muted text-sm">
          {t('Total balance')}
        </h2>
        {main ? (
          <>
            <div className="grid gap-1">
              <p className="figures font-semibold text-4xl tracking-tight">
                {formatShortAmount(main.amount, main.currency.decimals, {
                  places: main.currency.token ? 2 : 6,
                  fixed: main.currency.token ? 2 : 0,
                })}{' '}
                <span className="font-medium text-muted text-xl tracking-normal">{main.currency.symbol}</span>
              </p>
              {others.map(({ currency, amount }) => (
                <p key={currency.symbol} className="figures text-lg text-muted">
                  {formatShortAmount(amount, currency.decimals)} {currency.symbol}
                </p>
              ))}
            </div>
            <ShareBar total={main} />
            {main.shares.length > 0 && (
              <ul
                className="flex flex-wrap gap-x-5 gap-y-2 text-sm"
                aria-label={t('{symbol} by network', { symbol: main.currency.symbol })}
              >
                {main.shares.map(({ network, amount }) => (
                  <li key={network.chainId} className="flex items-center gap-2">
                    <NetworkMark chainId={network.chainId} name={network.name} />
                    {network.name}
                    <span className="figures text-muted">
                      {formatShortAmount(amount, main.currency.decimals, { places: 2, fixed: 2 })}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </>
        ) : (
          <div className="grid gap-2">
            <Skeleton className="h-9 w-40" />
            <Skeleton className="h-5 w-24" />
          </div>
        )}
        {down.length > 0 && (
          <p className="text-cord-ink text-sm">
            {rich('{outage}. What you have there is missing here.', {
              outage: doNotAnswer(down, networks.data ?? []),
            })}
          </p>
        )}
        {combined && deposits.error && !deposits.data && (
          <ErrorNotice error={deposits.error} onRetry={() => void deposits.refetch()} />
        )}
        {combined && networks.data && deposits.data && !isEmpty && (
          <DepositSummary networks={networks.data} deposits={deposits.data} />
        )}
        {isEmpty && down.length === 0 && (
          <p className="max-w-prose text-muted text-sm">
            {t('Nothing here yet. Show your address or its QR code to whoever pays you.')}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 sm:max-w-md">
        {offered.map(({ to, label, Icon }, index) => (
          <Button
            key={to}
            asChild
            size="large"
            variant={index === 0 ? 'primary' : 'secondary'}
            className={
              offered.length === 1
                ? 'flex-1'
                : 'min-h-16 flex-1 flex-col gap-1 px-1! sm:min-h-12 sm:flex-row sm:gap-2 sm:px-5!'
            }
          >
            <Link to={to}>
              <Icon className="size-5 shrink-0 sm:size-4" aria-hidden="true" />
              {label}
            </Link>
          </Button>
        ))}
      </div>
    </Card>
  )
}

/** The part in thousandths of the whole, exact for bigints of any size. */
const thousandths = (part: bigint, whole: bigint) => Number((part * 1_000n) / whole)

/** Shows how a total is distributed over the networks. The list below has the figures. */
function ShareBar({ total: { amount, shares } }: { total: Total }) {
  if (amount === 0n) return null
  let start = 0
  return (
    <svg width="100%" height="10" className="rounded-full" aria-hidden="true">
      <rect width="100%" height="10" className="fill-sunken" />
      {shares.map(({ network, amount: part }) => {
        const width = thousandths(part, amount)
        const x = start
        start += width
        return (
          <rect
            key={network.chainId}
            x={`${x / 10}%`}
            width={`${width / 10}%`}
            height="10"
            fill={`hsl(${networkHue(network.chainId)} 50% 46%)`}
          />
        )
      })}
    </svg>
  )
}
