import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useSession } from '../sign-in/session-context.tsx'

/** Where the account's owner changes, guardians and recoveries stand on each network. */
export type OwnershipStatus = EndpointOutput<typeof endpoints.ownership.status>

/** A change that an owner signed, with its progress. */
export type SignedChange = OwnershipStatus['changes'][number]

/** Milliseconds: while networks apply a change, and otherwise. A recovery that somebody starts is shown within the latter. */
const pollInterval = { applying: 2_000, idle: 30_000 } as const

/** Whether the service still works on the change somewhere. What waits for the person is not polled for. */
export const isApplying = ({ networks }: Pick<SignedChange, 'networks'>): boolean =>
  networks.some(
    ({ state, reason }) => state === 'applied' || (state === 'pending' && reason !== 'NOT_ENABLED'),
  )

/** The state of the Ownership module for this account. */
export function useOwnership() {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['ownership', account],
    queryFn: ({ signal }) => trpc.ownership.status.query({ walletAddress: account }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.changes.some(isApplying) ? pollInterval.applying : isLive ? false : pollInterval.idle,
  })
}
