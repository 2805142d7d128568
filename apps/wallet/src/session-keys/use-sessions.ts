import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { type Network, useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { type GrantedSession, toGrantedSession } from './granted-session.ts'

/** Every session of the account. */
export interface GrantedSessions {
  readonly sessions: readonly GrantedSession[]
  /** Networks that do not answer. Their sessions are missing above. */
  readonly unavailable: readonly number[]
}

async function fetchSessions(account: Address, signal: AbortSignal): Promise<GrantedSessions> {
  const { sessions, unavailable = [] } = await trpc.sessionKey.list.query(
    { walletAddress: account },
    { signal },
  )
  return { sessions: sessions.map(toGrantedSession), unavailable }
}

/** Milliseconds. Sessions act on their own, so their remaining limits shrink. */
const pollInterval = 15_000

/** The account's sessions. Idle if no network supports session keys. */
export function useSessions() {
  const { account } = useSession()
  const isLive = useIsLive()
  const { data: networks } = useNetworks()
  return useQuery({
    queryKey: ['sessions', account],
    queryFn: ({ signal }) => fetchSessions(account, signal),
    enabled: networks?.some(hasSessionKeys) ?? false,
    refetchInterval: isLive ? false : pollInterval,
  })
}

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

/** A network on which sessions can be granted. */
export type SessionKeysNetwork = Network & { readonly sessionKeys: Address }

export const hasSessionKeys = (network: Network): network is SessionKeysNetwork =>
  network.sessionKeys !== undefined
