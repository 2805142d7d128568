import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { trackedOperations } from '../operation/tracked-operations.ts'
import { forgetDrafts } from '../ui/use-stored-draft.ts'
import { readSession, type Session, writeSession } from './stored-session.ts'

interface SessionState {
  readonly session: Session | undefined
  /** True if the last session ended without the person signing out. */
  readonly ended: boolean
  readonly signIn: (session: Session) => void
  readonly signOut: (reason?: 'expired') => void
}

const SessionContext = createContext<SessionState | undefined>(undefined)

interface SessionProviderProps {
  readonly children: ReactNode
  /** The initial session. Default: that of this tab. */
  readonly initial?: () => Session | undefined
}

/** Provides the session to everything below. Signing out clears every cached answer of the service. */
export function SessionProvider({ children, initial = readSession }: SessionProviderProps) {
  const queryClient = useQueryClient()
  const [session, setSession] = useState(initial)
  const [ended, setEnded] = useState(false)

  const state = useMemo<SessionState>(
    () => ({
      session,
      ended,
      signIn: (next) => {
        writeSession(next)
        setEnded(false)
        setSession(next)
      },
      signOut: (reason) => {
        writeSession(undefined)
        forgetDrafts()
        trackedOperations.clear()
        setEnded(reason === 'expired')
        setSession(undefined)
        queryClient.clear()
      },
    }),
    [session, ended, queryClient],
  )
  return <SessionContext value={state}>{children}</SessionContext>
}

/** The session and the two functions that change it. */
export function useSessionState(): SessionState {
  const state = useContext(SessionContext)
  if (!state) throw new TypeError('useSessionState needs a SessionProvider above')
  return state
}

/** The session, for screens that only a signed-in person sees. */
export function useSession(): Session {
  const { session } = useSessionState()
  if (!session) throw new TypeError('This screen is for signed-in people only')
  return session
}
