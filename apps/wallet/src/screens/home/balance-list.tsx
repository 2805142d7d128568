import { Card, Skeleton } from '@lanyard/ui'
import { useBalances } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { NetworkBalanceRow } from './network-balance-row.tsx'

/** The account's balances on each network. */
export function BalanceList() {
  const networks = useNetworks()
  const balances = useBalances()
  const deposits = useDeposits()
  // The total card above shows the error and a button to retry.
  if (networks.error || (balances.error && !balances.data)) return null
  return (
    <Card aria-labelledby="balances" aria-busy={balances.isPending}>
      <h2 id="balances" className="border-line border-b px-5 py-4 font-semibold">
        {t('Balances by network')}
      </h2>
      <ul className="divide-y divide-line">
        {networks.data?.map((network) => (
          <NetworkBalanceRow
            key={network.chainId}
            network={network}
            balance={balances.data?.find(({ chainId }) => chainId === network.chainId)}
            deposit={deposits.data?.deposits.find(({ chainId }) => chainId === network.chainId)}
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
