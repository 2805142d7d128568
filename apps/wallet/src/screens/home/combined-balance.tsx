import { ArrowUpFromLine, Send } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { formatShortAmount } from '../../amounts/format-amount.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { hasSmartBalance } from '../../networks/smart-balance-network.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { unitOf } from '../../smart-balance/units.ts'
import { type Deposits, spendableOf, useDeposits } from '../../smart-balance/use-deposits.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useActivity } from '../activity/use-activity.ts'
import { DepositRow } from './deposit-row.tsx'

/** The amount that can be spent on any network, and its parts. Renders nothing if no network takes part. */
export function CombinedBalance() {
  const { data: networks } = useNetworks()
  const deposits = useDeposits()
  const taking = networks?.filter(hasSmartBalance) ?? []
  if (!networks || taking.length === 0) return null
  const unit = unitOf(networks)
  const spendable = deposits.data ? spendableOf(deposits.data) : 0n
  const held = deposits.data?.deposits.filter(({ balance }) => balance > 0n) ?? []
  return (
    <Card aria-labelledby="combined" aria-busy={deposits.isPending}>
      <div className="grid gap-4 p-5">
        <div className="grid gap-1">
          <h2 id="combined" className="text-muted text-sm">
            {t('Combined balance, to spend on any network')}
          </h2>
          {deposits.data ? (
            <p className="figures font-semibold text-2xl tracking-tight">
              {formatShortAmount(spendable, unit.decimals, { places: 2, fixed: 2 })}
              <span className="ml-2 font-medium text-base text-muted tracking-normal">{unit.symbol}</span>
            </p>
          ) : (
            !deposits.error && <Skeleton className="h-9 w-40" />
          )}
          {deposits.data && <Missing deposits={deposits.data} />}
          <PendingSteps />
          {deposits.data && held.length === 0 && deposits.data.unavailable.length === 0 && (
            <p className="max-w-prose text-muted text-sm">
              {rich(
                'Nothing deposited yet. Deposit {symbol} on any network, and spend the total on every network with one signature.',
                { symbol: unit.symbol },
              )}
            </p>
          )}
        </div>
        {deposits.error && !deposits.data && (
          <ErrorNotice error={deposits.error} onRetry={() => void deposits.refetch()} />
        )}
        <div className="flex flex-wrap gap-2.5">
          <Button asChild variant="secondary">
            <Link to="/send/anywhere">
              <Send className="size-4" aria-hidden="true" />
              {t('Spend')}
            </Link>
          </Button>
          <Button asChild variant="quiet">
            <Link to="/take-out">
              <ArrowUpFromLine className="size-4" aria-hidden="true" />
              {t('Withdraw')}
            </Link>
          </Button>
        </div>
      </div>
      {held.length > 0 && (
        <ul className="divide-y divide-line border-line border-t" aria-label={t('Deposited')}>
          {held.map((deposit) => (
            <DepositRow key={deposit.chainId} deposit={deposit} unit={unit} networks={networks} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Describes calls, which needs the ABIs. They are loaded only when there is something to describe. */
const PendingNotes = lazy(async () => ({
  default: (await import('../../smart-balance/pending-notes.tsx')).PendingNotes,
}))

function PendingSteps() {
  const activity = useActivity()
  const isPending = activity.data?.pages.some((page) =>
    page.activity.some(({ state, final }) => state === 'included' && !final),
  )
  return (
    isPending && (
      <Suspense>
        <PendingNotes />
      </Suspense>
    )
  )
}

/** Names the networks that the figure leaves out. */
function Missing({ deposits: { unavailable } }: { deposits: Deposits }) {
  const { data: networks = [] } = useNetworks()
  if (unavailable.length === 0) return null
  return (
    <p className="text-cord-ink text-sm">
      {t('Without your deposits on {networks}, which {count, plural, one {is} other {are}} not responding.', {
        count: unavailable.length,
        networks: nameNetworks(unavailable, networks),
      })}
    </p>
  )
}
