import { hasSmartBalance } from '../../networks/smart-balance-network.ts'
import { useBalances } from '../../networks/use-balances.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NetworkBalanceRow } from './network-balance-row.tsx'
import { TotalBalance } from './total-balance.tsx'

/** All balances, network by network. */
export function BalanceList() {
  const networks = useNetworks()
  const balances = useBalances()
  const combined = networks.data?.some(hasSmartBalance) ?? false
  const error = networks.error ?? (balances.data ? null : balances.error)
  if (error)
    return (
      <ErrorNotice
        error={error}
        onRetry={() => {
          void networks.refetch()
          void balances.refetch()
        }}
      />
    )
  return (
    <Card aria-labelledby="balances" aria-busy={balances.isPending}>
      <div className="border-line border-b p-5">
        <h2 id="balances" className="text-muted text-sm">
          {combined ? 'In your account, network by network' : 'Balance on all networks'}
        </h2>
        <TotalBalance networks={networks.data} balances={balances.data} secondary={combined} />
      </div>
      <ul className="divide-y divide-line">
        {networks.data?.map((network) => (
          <NetworkBalanceRow
            key={network.chainId}
            network={network}
            balance={balances.data?.find(({ chainId }) => chainId === network.chainId)}
          />
        )) ?? <LoadingRows />}
      </ul>
    </Card>
  )
}

function LoadingRows() {
  return [1, 2, 3].map((row) => (
    <li key={row} className="grid gap-3 p-5">
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-4 w-full max-w-64" />
    </li>
  ))
}
