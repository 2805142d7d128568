import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preloadScreens } from '../screens/screens.ts'

/** Milliseconds between two looks whether the screen has what it asked for. */
const pause = 1_500

/** Fetches the other screens once the first one has all its data, so that they do not share a slow connection. */
export function useScreenPreload(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      const queries = queryClient.getQueryCache().getAll()
      const isReady = queries.some(({ state }) => state.dataUpdatedAt > 0) && queryClient.isFetching() === 0
      if (!isReady) return
      clearInterval(timer)
      void preloadScreens()
    }, pause)
    return () => clearInterval(timer)
  }, [queryClient])
}
