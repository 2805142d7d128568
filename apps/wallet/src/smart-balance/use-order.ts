import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { isCollecting, isFinished } from './order-legs.ts'

/** Milliseconds between polls of an unfinished order. */
const pollInterval = 1_500

/** One payment from the combined balance, tracked until it can no longer change. */
export function useOrder(orderId: Hex) {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['orders', account, orderId],
    queryFn: ({ signal }) => trpc.smartBalance.order.query({ orderId }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data && isFinished(data)) return false
      return isLive && data && !isCollecting(data) ? false : pollInterval
    },
    staleTime: 0,
  })
}
