import { Card, ListSkeleton } from '@lanyard/ui'
import { type ComponentType, lazy, Suspense } from 'react'
import { useBalances } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { UnprovenNotice } from '../../sign-in/unproven-notice.tsx'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { AssetsCard } from './assets-card.tsx'
import { ProtectionHint } from './protection-hint.tsx'
import { TotalCard } from './total-card.tsx'

/** Describes calls, which needs the ABIs: the amounts do not wait for them, and are shown if these do not arrive. */
const RecentActivity = lazy<ComponentType>(() =>
  import('./recent-activity.tsx').then(
    ({ RecentActivity }) => ({ default: RecentActivity }),
    () => ({ default: () => null }),
  ),
)

/** The account: what it holds, what can be done with it, and what happened last. */
export function HomeScreen() {
  const { data: networks } = useNetworks()
  const balances = useBalances()
  const deposits = useDeposits()
  // What describes activities would share a slow connection with the amounts.
  const isWaiting = !networks || balances.isPending || deposits.isLoading
  const loading = (
    <Card className="p-5">
      <ListSkeleton label={t('Loading your activity')} />
    </Card>
  )
  return (
    <div className="grid items-start gap-4 sm:gap-6 md:grid-cols-[minmax(0,1fr)_minmax(0,23.75rem)] md:gap-8">
      <div className="grid min-w-0 gap-4 sm:gap-6">
        <TotalCard />
        <UnprovenNotice />
        <ProtectionHint />
        <AssetsCard />
      </div>
      {isWaiting ? (
        loading
      ) : (
        <Suspense fallback={loading}>
          <RecentActivity />
        </Suspense>
      )}
    </div>
  )
}
