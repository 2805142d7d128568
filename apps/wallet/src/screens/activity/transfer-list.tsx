import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isAddressEqual, zeroAddress } from 'viem'
import { formatAmount } from '../../amounts/format-amount.ts'
import { trpc } from '../../api/trpc.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { HashLink } from '../../ui/hash-link.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Notice } from '../../ui/notice.tsx'
import { shortAddress } from '../../ui/short-address.ts'

/** Tokens that arrived lately, network by network: their logs carry block numbers, which do not compare across. */
export function TransferList() {
  const { account } = useSession()
  const { data: networks } = useNetworks()
  const transfers = useQuery({
    queryKey: ['transfers', account],
    queryFn: ({ signal }) => trpc.wallet.transfers.query({ walletAddress: account }, { signal }),
    refetchInterval: 15_000,
  })
  if (transfers.error && !transfers.data)
    return <ErrorNotice error={transfers.error} onRetry={() => void transfers.refetch()} />
  if (!transfers.data || !networks) return <ListSkeleton label="Loading what you received" />

  const rows = transfers.data.networks.flatMap(({ network, transfers }) => {
    const { name, explorerUrl, currencies } = networks.find(({ chainId }) => chainId === Number(network)) ?? {
      name: `Network ${network}`,
      currencies: [],
    }
    return transfers.map((transfer) => ({
      ...transfer,
      network,
      name,
      explorerUrl,
      currency: currencies.find(({ token }) => token && isAddressEqual(token, transfer.token)),
    }))
  })
  const unavailable = transfers.data.networks.filter(({ available }) => !available)
  return (
    <div className="grid gap-4">
      {unavailable.length > 0 && (
        <Notice tone="warning">
          {unavailable
            .map(
              ({ network }) => networks.find(({ chainId }) => chainId === Number(network))?.name ?? network,
            )
            .join(', ')}{' '}
          does not answer now; what arrived there is missing below.
        </Notice>
      )}
      {rows.length === 0 ? (
        <EmptyState
          title="Nothing lately"
          action={
            <Button asChild look="secondary">
              <Link to="/">Show my address</Link>
            </Button>
          }
        >
          Tokens that arrive are listed here. The network’s own currency leaves no trace to list; it shows in
          your balance.
        </EmptyState>
      ) : (
        <Card>
          <ul className="divide-y divide-line" aria-label="Received">
            {rows.map(
              ({ network, name, explorerUrl, currency, txnHash, from, amount, blockNumber }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one transaction can hold equal transfers
                <li key={`${network}-${txnHash}-${index}`} className="grid gap-1.5 p-4 sm:px-5">
                  <p className="font-medium">
                    Received{' '}
                    {currency
                      ? `${formatAmount(BigInt(amount), currency.decimals)} ${currency.symbol}`
                      : 'tokens'}
                    {isAddressEqual(from, zeroAddress) ? ', newly issued' : ` from ${shortAddress(from)}`}
                  </p>
                  <p className="flex flex-wrap gap-x-4 text-muted text-sm">
                    <span>{name}</span>
                    <span className="figures">block {blockNumber}</span>
                  </p>
                  <p>
                    <HashLink hash={txnHash} explorerUrl={explorerUrl} />
                  </p>
                </li>
              ),
            )}
          </ul>
        </Card>
      )}
    </div>
  )
}
