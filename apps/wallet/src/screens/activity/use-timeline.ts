import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../api/trpc.ts'
import { useIsLive } from '../../events/stream-health.ts'
import { readEarlyReceipts } from '../../holdings/early-receipts.ts'
import { useBalances } from '../../holdings/use-balances.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { useActivity } from '../../operation/use-activity.ts'
import { useOwners } from '../../owners/use-owners.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { type TimelineEntry, toTimeline } from './timeline.ts'

/** Everything that happened to the account, newest first, as far as it is loaded. */
export function useTimeline() {
  const { account } = useSession()
  const { data: networks } = useNetworks()
  const activity = useActivity()
  const transfers = useTransfers()
  const balances = useBalances()
  const isLoading = !activity.data || !networks || (transfers.isPending && !transfers.error)
  const entries: readonly TimelineEntry[] | undefined = isLoading
    ? undefined
    : toTimeline({
        account,
        networks,
        operations: activity.data.pages.flatMap((page) => page.activity),
        protection: activity.data.pages[0]?.protection ?? [],
        received: transfers.data?.networks ?? [],
        balances: balances.data ?? [],
        early: readEarlyReceipts(account),
        hasOlder: activity.hasNextPage,
      })
  return { entries, activity, transfers, networks, balances }
}

/** Milliseconds between polls. */
const pollInterval = 15_000

/** Recent transfers to the account. */
export function useTransfers() {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['transfers', account],
    queryFn: ({ signal }) => trpc.wallet.transfers.query({ walletAddress: account }, { signal }),
    refetchInterval: isLive ? false : pollInterval,
  })
}

/** Lower-case address → name: the account's owners by their labels, and the people that the person knows. */
export function usePartyNames(): ReadonlyMap<string, string> {
  const { data: ownership } = useOwners()
  const recipients = useRecipientNames()
  const owners = (ownership?.owners ?? []).flatMap(({ address, label }) =>
    label ? [[address.toLowerCase(), label] as const] : [],
  )
  return new Map([...owners, ...recipients])
}
