import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import type { Activity } from '../operation/use-activity.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { isCollecting, isFinished } from './order-legs.ts'

/** Milliseconds between polls of an unfinished order. */
const orderPollInterval = 1_500

/** Milliseconds by which the clocks of two processes of the service may differ. */
const clockSkew = 60_000

/** The order that an operation uses; null if there is none. It was created before the operation was signed. */
export function useOrderOf({ userOpHash, signedAt }: Pick<Activity, 'userOpHash' | 'signedAt'>) {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['orders', account, userOpHash],
    queryFn: async ({ signal }) => {
      const before = new Date(Date.parse(signedAt) + clockSkew).toISOString()
      const { orders } = await trpc.smartBalance.orders.query({ walletAddress: account, before }, { signal })
      return orders.find((order) => order.userOpHash === userOpHash) ?? null
    },
    refetchInterval: ({ state: { data } }) => {
      if (!data || isFinished(data)) return false
      return isLive && !isCollecting(data) ? false : orderPollInterval
    },
  })
}

/** One payment from the combined balance, tracked until it can no longer change. */
export function useOrder(orderId: Hex) {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['orders', account, orderId],
    queryFn: ({ signal }) => trpc.smartBalance.order.query({ orderId }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data && isFinished(data)) return false
      return isLive && data && !isCollecting(data) ? false : orderPollInterval
    },
    staleTime: 0,
  })
}
