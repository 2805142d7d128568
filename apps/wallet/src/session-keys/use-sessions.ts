import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { type GrantedSession, toGrantedSession } from './granted-session.ts'
import { hasSessionKeys } from './session-keys-network.ts'

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
