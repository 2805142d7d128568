import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useSession } from '../sign-in/session-context.tsx'

/** One signed operation, in any state. */
export type Activity = EndpointOutput<typeof endpoints.wallet.activity>['activity'][number]

/** What owners or guardians signed, or what came of it. */
export type ProtectionAct = NonNullable<
  EndpointOutput<typeof endpoints.wallet.activity>['protection']
>[number]

const pageSize = 20

/** Milliseconds between polls, by the least settled operation in the list. */
const pollInterval = { pending: 2_000, included: 5_000, settled: 20_000 } as const

const isPending = ({ state }: Pick<Activity, 'state'>) =>
  state === 'submitting' || state === 'submitted' || state === 'built'

/** The account's operations, newest first, page by page. Pending ones are kept up to date. */
export function useActivity() {
  const { account } = useSession()
  const isLive = useIsLive()
  return useInfiniteQuery({
    queryKey: ['activity', account],
    queryFn: ({ pageParam, signal }) =>
      trpc.wallet.activity.query(
        {
          walletAddress: account,
          limit: pageSize,
          ...pageParam,
        },
        { signal },
      ),
    initialPageParam: {} as { before?: string; beforeId?: Hex }, // widens the literal type
    getNextPageParam: ({ activity }) => {
      const last = activity.length < pageSize ? undefined : activity.at(-1)
      return last && { before: last.signedAt, beforeId: last.userOpHash }
    },
    refetchInterval: ({ state }) => {
      if (isLive) return false
      const shown = state.data?.pages.flatMap(({ activity }) => activity) ?? []
      if (shown.some(isPending)) return pollInterval.pending
      return shown.some(({ state, final }) => state === 'included' && !final)
        ? pollInterval.included
        : pollInterval.settled
    },
  })
}
