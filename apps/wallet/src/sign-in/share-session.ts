import { isSession, type Session } from '../api/stored-session.ts'

/** Between the tabs of this origin. Nothing is stored: when the last tab closes, the session ends. */
const channelName = 'lanyard.session'

type Message =
  | { readonly kind: 'request' }
  | { readonly kind: 'signed-in'; readonly session: Session }
  | { readonly kind: 'signed-out' }

interface SessionListeners {
  /** The session of this tab. */
  readonly current: () => Session | undefined
  /** Another tab has a session, or has just opened one. */
  readonly onSignedIn: (session: Session) => void
  /** The person signed out in another tab. */
  readonly onSignedOut: () => void
}

export interface SharedSession {
  signedIn(session: Session): void
  signedOut(): void
  close(): void
}

/**
 * Shares the session with the other tabs of this wallet: a new tab asks for it, and signing out counts for
 * all of them. A browser without BroadcastChannel keeps one session per tab.
 */
export function shareSession({ current, onSignedIn, onSignedOut }: SessionListeners): SharedSession {
  if (typeof BroadcastChannel === 'undefined')
    return { signedIn: () => undefined, signedOut: () => undefined, close: () => undefined }
  const channel = new BroadcastChannel(channelName)
  const post = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { kind, session } = Object(data)
    const own = current()
    if (kind === 'request' && own) post({ kind: 'signed-in', session: own })
    if (kind === 'signed-in' && isSession(session) && !own) onSignedIn(session)
    if (kind === 'signed-out' && own) onSignedOut()
  }
  if (!current()) post({ kind: 'request' })
  return {
    signedIn: (session) => post({ kind: 'signed-in', session }),
    signedOut: () => post({ kind: 'signed-out' }),
    close: () => channel.close(),
  }
}
