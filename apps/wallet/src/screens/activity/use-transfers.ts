import { useQuery } from '@tanstack/react-query'
import { trpc } from '../../api/trpc.ts'
import { useIsLive } from '../../events/stream-health.ts'
import { useSession } from '../../sign-in/session-context.tsx'

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
