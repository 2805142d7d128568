import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { isCollecting, isFinished } from './order-legs.ts'

/** The service's page size. */
const pageSize = 50

/** Milliseconds between polls. */
const pollInterval = { open: 2_000, finished: 20_000 } as const

/** The account's payments from the combined balance, newest first, page by page. */
export function useOrders() {
  const { account } = useSession()
  const isLive = useIsLive()
  return useInfiniteQuery({
    queryKey: ['orders', account],
    queryFn: ({ pageParam, signal }) =>
      trpc.smartBalance.orders.query({ walletAddress: account, ...pageParam }, { signal }),
    initialPageParam: {} as { before?: string; beforeId?: Hex }, // widens the literal
    getNextPageParam: ({ orders }) => {
      const last = orders.length < pageSize ? undefined : orders.at(-1)
      return last && { before: last.createdAt, beforeId: last.orderId }
    },
    refetchInterval: ({ state }) => {
      const shown = state.data?.pages.flatMap(({ orders }) => orders) ?? []
      if (isLive) return shown.some(isCollecting) ? pollInterval.open : false
      return shown.every(isFinished) ? pollInterval.finished : pollInterval.open
    },
  })
}

/** Milliseconds between polls of an unfinished order. */
const orderPollInterval = 1_500

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
