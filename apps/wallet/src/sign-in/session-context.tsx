import { forgetDrafts } from '@lanyard/ui'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { readSession, type Session, writeSession } from '../api/stored-session.ts'
import { readServiceError } from '../errors/service-error.ts'
import { type SharedSession, shareSession } from './share-session.ts'
import { trackedOperations } from './tracked-operations.ts'

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
  /** Whether the tabs of the wallet share it. Default: true. A popup's session has no token, so it is not shared. */
  readonly shared?: boolean
}

/**
 * Provides the session to everything below, shared with the other tabs. Signing out clears every cached answer
 * of the service.
 */
export function SessionProvider({
  children,
  initial = readSession,
  shared: isShared = true,
}: SessionProviderProps) {
  const queryClient = useQueryClient()
  const [session, setSession] = useState(initial)
  const [ended, setEnded] = useState(false)

  const shared = useRef<SharedSession>(undefined)
  const latest = useRef(session)
  latest.current = session

  const { open, close } = useMemo(
    () => ({
      open(next: Session) {
        writeSession(next)
        setEnded(false)
        setSession(next)
      },
      close(expired: boolean) {
        writeSession(undefined)
        // An expired session is continued by the same person, on the same screen.
        if (!expired) forgetDrafts()
        trackedOperations.clear()
        setEnded(expired)
        setSession(undefined)
        queryClient.clear()
      },
    }),
    [queryClient],
  )
  useEffect(() => {
    if (!isShared) return
    shared.current = shareSession({
      current: () => latest.current,
      onSignedIn: open,
      onSignedOut: () => close(false),
    })
    return () => shared.current?.close()
  }, [isShared, open, close])

  const state = useMemo<SessionState>(
    () => ({
      session,
      ended,
      signIn: (next) => {
        open(next)
        shared.current?.signedIn(next)
      },
      signOut: (reason) => {
        close(reason === 'expired')
        // An expired token ends each tab by itself, when its own requests are rejected.
        if (reason !== 'expired') shared.current?.signedOut()
      },
    }),
    [session, ended, open, close],
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
