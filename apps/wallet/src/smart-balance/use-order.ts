import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useSession } from '../session/session-context.tsx'
import { isFinished } from './order-legs.ts'

/** Milliseconds between two looks while something is under way. */
const pollInterval = 1_500

/** One payment from the combined balance, followed until nothing about it changes any more. */
export function useOrder(orderId: Hex) {
  const { account } = useSession()
  return useQuery({
    queryKey: ['orders', account, orderId],
    queryFn: ({ signal }) => trpc.smartBalance.order.query({ orderId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data) ? false : pollInterval),
    staleTime: 0,
  })
}
