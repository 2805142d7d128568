import { useFont } from '@lanyard/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { preloadScreens } from '../screens/screens.ts'

/** Milliseconds between checks whether the screen has its data. */
const pause = 1_500

/**
 * Loads the font and the other screens once the first screen has all its data, so that they do not compete
 * for a slow connection.
 */
export function useScreenPreload(): void {
  const queryClient = useQueryClient()
  const [isReady, setReady] = useState(false)
  useFont(isReady)
  useEffect(() => {
    const timer = setInterval(() => {
      const queries = queryClient.getQueryCache().getAll()
      if (!queries.some(({ state }) => state.dataUpdatedAt > 0) || queryClient.isFetching() > 0) return
      clearInterval(timer)
      setReady(true)
      void preloadScreens()
    }, pause)
    return () => clearInterval(timer)
  }, [queryClient])
}
