import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useSession } from '../sign-in/session-context.tsx'

/** One operation that a session key signed, with what it spent. */
export type SessionAction = EndpointOutput<typeof endpoints.sessionKey.history>['history'][number]

const pageSize = 10

/** What a session key did on a network, newest first, page by page. Idle until `isWanted`. */
export function useSessionHistory(chainId: number, keyId: Hex, isWanted: boolean) {
  const { account } = useSession()
  return useInfiniteQuery({
    // The key starts with "sessions", so that an event about one of them invalidates it.
    queryKey: ['sessions', account, 'history', chainId, keyId],
    queryFn: ({ pageParam, signal }) =>
      trpc.sessionKey.history.query(
        {
          walletAddress: account,
          sessionKey: keyId,
          network: String(chainId),
          limit: pageSize,
          ...pageParam,
        },
        { signal },
      ),
    initialPageParam: {} as { before?: string; beforeId?: Hex }, // widens the literal type
    getNextPageParam: ({ history }) => {
      const last = history.length < pageSize ? undefined : history.at(-1)
      return last && { before: last.signedAt, beforeId: last.userOpHash }
    },
    enabled: isWanted,
  })
}
