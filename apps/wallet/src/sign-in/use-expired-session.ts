import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readServiceError } from '../errors/service-error.ts'
import { useSessionState } from './session-context.tsx'

/** Ends the session when the service reports that its token has expired. */
export function useExpiredSession(): void {
  const queryClient = useQueryClient()
  const { session, signOut } = useSessionState()
  useEffect(() => {
    if (!session) return
    return queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && readServiceError(event.query.state.error)?.code === 'UNAUTHORIZED')
        signOut('expired')
    })
  }, [queryClient, session, signOut])
}
