import { Button, brand, Card, decimalMark, Skeleton } from '@lanyard/ui'
import { ArrowDownLeft, ChevronRight, HandCoins, Plus, Send, ShieldCheck } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from 'react'
import { Link } from 'react-router'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useBalances } from '../../holdings/use-balances.ts'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/name-networks.ts'
import { hasSmartBalance, useNetworks } from '../../networks/use-networks.ts'
import { useProtection } from '../../owners/use-protection.ts'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { type Total, totalsOf } from './total.ts'

/** The main actions, most likely first. */
const actions = [
  { to: '/send', label: t('Send'), Icon: Send },
  { to: '/receive', label: t('Receive'), Icon: ArrowDownLeft },
  { to: '/deposit', label: t('Add'), Icon: Plus },
  { to: '/receive?request', label: t('Request'), Icon: HandCoins },
] as const

/** The total in the account and the combined balance, the main actions, and what protects the account. */
export function TotalCard() {
  const networks = useNetworks()
  const balances = useBalances()
  const deposits = useDeposits()
  const error = networks.error ?? (balances.data ? null : balances.error)
  const combined = networks.data?.some(hasSmartBalance) ?? false
  const isKnown = networks.data && balances.data && (!combined || deposits.data || deposits.error)
  const totals = isKnown ? totalsOf(networks.data, balances.data, deposits.data) : undefined
  const down = [
    ...new Set([
      ...(balances.data ?? []).flatMap(({ chainId, available }) => (available ? [] : [chainId])),
      ...(deposits.data?.unavailable ?? []),
    ]),
  ]
  // Somebody who has nothing cannot send or deposit. What cannot be read may be something.
  const isEmpty = (totals?.every(({ amount }) => amount === 0n) ?? false) && down.length === 0
  const offered = actions.filter(
    ({ to }) => (combined || to !== '/deposit') && (!isEmpty || (to !== '/send' && to !== '/deposit')),
  )
  return (
    <Card aria-label={t('Total balance')} aria-busy={!isKnown} className="overflow-hidden">
      <div className="grid gap-6 p-4 pt-5 sm:p-6">
        <div className="grid gap-2">
          <Heading totals={totals} isFailed={error !== null} />
          {error && (
            <ErrorNotice
              error={error}
              onRetry={() => void Promise.all([networks.refetch(), balances.refetch(), deposits.refetch()])}
            />
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
          {isEmpty && (
            <p className="max-w-prose text-muted text-sm">
              {t('Nothing here yet. Show your address or its QR code to whoever pays you.')}
            </p>
          )}
        </div>
        <div className="grid auto-cols-fr grid-flow-col gap-2 max-sm:[&:lang(de)]:gap-1">
          {offered.map(({ to, label, Icon }, index) => (
            <Button
              key={to}
              asChild
              size="large"
              variant={index === 0 ? 'primary' : 'secondary'}
              className="min-h-18 min-w-0 flex-col gap-1.5 px-1! text-[min(0.9375rem,17px)] max-sm:[&:lang(de)]:px-0! max-sm:[&:lang(de)]:text-xs sm:min-h-14 sm:flex-row sm:gap-2 sm:px-1! sm:text-base sm:tracking-normal"
            >
              <Link to={to}>
                <Icon className="size-5 shrink-0 sm:size-4.5" aria-hidden="true" />
                {label}
              </Link>
            </Button>
          ))}
        </div>
      </div>
      <ProtectionLine />
    </Card>
  )
}

/** Prices follow the amounts. Without them, the total is by token. */
const DollarTotal = lazy<ComponentType<ComponentProps<typeof import('./dollars.tsx').DollarTotal>>>(() =>
  import('./dollars.tsx').then(
    ({ DollarTotal }) => ({ default: DollarTotal }),
    () => ({ default: ({ byToken }) => byToken }),
  ),
)

interface HeadingProps {
  /** Undefined while they load. */
  readonly totals: readonly Total[] | undefined
  readonly isFailed: boolean
}

/** The one answer of the screen. It has the focus when the screen appears. */
function Heading({ totals, isFailed }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${t('Home')} · ${brand.name}`
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className="grid gap-1">
      <span className="text-muted text-sm">{t('You have')}</span>{' '}
      {totals?.length ? (
        <Suspense fallback={<ByToken totals={totals} />}>
          <DollarTotal totals={totals} byToken={<ByToken totals={totals} />}>
            {(parts) => <Dollars parts={parts} />}
          </DollarTotal>
        </Suspense>
      ) : (
        !isFailed && <Skeleton className="h-12 w-48" />
      )}
    </h1>
  )
}

/** The total in the main token, large, and in the others. */
function ByToken({ totals: [main, ...others] }: { readonly totals: readonly Total[] }) {
  return (
    main && (
      <>
        <Amount total={main} />
        {others.map(({ currency, amount }) => (
          <Fragment key={currency.symbol}>
            {' '}
            <span className="figures text-lg text-muted">
              {formatShortAmount(amount, currency.decimals)} {currency.symbol}
            </span>
          </Fragment>
        ))}
      </>
    )
  )
}

function Dollars({ parts }: { readonly parts: readonly Intl.NumberFormatPart[] }) {
  return (
    <Figure>
      <span className="font-normal text-[0.75em] text-muted">≈</span>{' '}
      {parts.map(({ type, value }) =>
        type === 'decimal' || type === 'fraction' ? <Fraction key={type}>{value}</Fraction> : value,
      )}
    </Figure>
  )
}

function Amount({ total: { amount, currency } }: { readonly total: Total }) {
  const text = formatShortAmount(amount, currency.decimals, {
    places: currency.token ? 2 : 6,
    fixed: currency.token ? 2 : 0,
  })
  const [whole, fraction] = text.split(decimalMark)
  return (
    <Figure>
      {whole}
      {fraction && (
        <Fraction>
          {decimalMark}
          {fraction}
        </Fraction>
      )}{' '}
      <span className="font-medium text-muted text-xl tracking-normal">{currency.symbol}</span>
    </Figure>
  )
}

/** The one large figure of Home. */
function Figure({ children }: { readonly children: ReactNode }) {
  return (
    <span className="figures font-semibold text-[min(2.5rem,3.25rem)] leading-tight tracking-tight sm:text-5xl">
      {children}
    </span>
  )
}

/** What follows its decimal mark. */
function Fraction({ children }: { readonly children: ReactNode }) {
  return <span className="text-[0.625em] text-muted tracking-normal">{children}</span>
}

/** What protects the account, as soon as each network is covered; until then a notice says what is missing. */
function ProtectionLine() {
  const protection = useProtection()
  if (!protection?.isCovered) return null
  const { text, open } = protection
  return (
    <Link
      to="/protection"
      className="flex min-h-12 items-center gap-3 border-line border-t px-4 py-2.5 hover:bg-sunken/60 sm:px-6"
    >
      <ShieldCheck className="size-5 shrink-0 text-accent" aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span className="sr-only sm:not-sr-only">{t('Protected by')}</span>
        <span className="font-medium">{text}</span>
        {open && <span className="text-muted text-sm">{open}</span>}
      </span>
      <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
    </Link>
  )
}
