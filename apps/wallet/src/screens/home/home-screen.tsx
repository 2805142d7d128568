import { Card, CopyButton, FullAddress, QrCode, Screen, Skeleton } from '@lanyard/ui'
import { useBalances } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { UnprovenNotice } from '../../sign-in/unproven-notice.tsx'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { NetworkBalanceRow } from './network-balance-row.tsx'
import { ProtectionHint } from './protection-hint.tsx'
import { TotalCard } from './total-card.tsx'

/** The balances and the main actions. */
export function HomeScreen() {
  return (
    <Screen title={t('Home')}>
      <div className="grid items-start gap-5 md:grid-cols-[1fr_20rem]">
        <div className="grid gap-5">
          <TotalCard />
          <ProtectionHint />
          <BalanceList />
        </div>
        <AddressCard />
      </div>
    </Screen>
  )
}

/** The account's address for receiving money. */
export function AddressCard() {
  const { account } = useSession()
  return (
    <Card aria-labelledby="address" className="grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="address" className="font-semibold">
          {t('Your address')}
        </h2>
        <CopyButton text={account} label={t('Copy your address')} />
      </div>
      <FullAddress address={account} />
      <UnprovenNotice />
      <div className="mx-auto w-44 max-w-full">
        <QrCode text={account} label={t('QR code of your address')} />
      </div>
      <p className="text-muted text-sm">
        {t(
          'The same on every network of this service. You can receive even where it says “Not deployed yet”. Your first transaction there deploys the account.',
        )}
      </p>
    </Card>
  )
}

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
