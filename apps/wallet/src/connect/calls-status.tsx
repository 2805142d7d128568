import { Card, Fact, ListSkeleton } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { t } from '../i18n/t.ts'
import type { Network } from '../networks/use-networks.ts'
import { outcomeOf } from '../operation/operation-outcome.ts'

/** Milliseconds between polls. */
const pollInterval = 2_000

const words = {
  pending: t('Pending'),
  included: t('Included'),
  reverted: t('Failed on the network'),
  dropped: t('Not included'),
} as const

/** The status of calls that an app sent. */
export function CallsStatus({ network, userOpHash }: { network: Network; userOpHash: Hex }) {
  const status = useQuery({
    queryKey: ['operation', userOpHash],
    queryFn: ({ signal }) => trpc.smartAccount.status.query({ userOpHash }, { signal }),
    refetchInterval: (query) => (query.state.data && outcomeOf(query.state.data) ? false : pollInterval),
    staleTime: 0,
  })
  if (status.error) return <ErrorNotice error={status.error} onRetry={() => void status.refetch()} />
  if (!status.data) return <ListSkeleton label={t('Loading the status')} />
  const outcome = outcomeOf(status.data)
  return (
    <Card className="grid gap-4 p-5">
      <p className="font-semibold text-xl" role="status">
        {words[outcome?.kind ?? 'pending']}
      </p>
      {outcome?.reason && <p className="wrap-anywhere text-sm">{outcome.reason}</p>}
      <dl className="grid gap-2.5 text-sm">
        <Fact term={t('Network')}>{network.name}</Fact>
        <Fact term={t('User operation')}>
          <code className="break-all font-mono text-xs">{userOpHash}</code>
        </Fact>
        {outcome?.txnHash && (
          <Fact term={t('Transaction')}>
            <code className="break-all font-mono text-xs">{outcome.txnHash}</code>
          </Fact>
        )}
      </dl>
    </Card>
  )
}
