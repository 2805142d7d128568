import type { Address } from 'viem'

/** A sign-in session. The token gives access to the user's private data; it cannot move money. */
export interface Session {
  readonly username: string
  /** The smart account, the same on every network. */
  readonly account: Address
  /** The service's JWT, valid for one hour. Empty in a popup, which makes no requests that need it. */
  readonly token: string
  /** The passkey of the sign-in, base64url. Undefined in a popup. */
  readonly credentialId?: string
  /** True if only the service says that the account belongs to this person: see `open-session.ts`. */
  readonly unproven?: boolean
}

const key = 'lanyard.session'

/**
 * The session of this tab. In `sessionStorage`, a reload keeps it and closing the tab ends it.
 *
 * @returns undefined if nobody is signed in, or the stored value is not a session
 */
export function readSession(): Session | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isSession(value) ? value : undefined
  } catch {
    return undefined // storage is blocked, or has other content
  }
}

/** Stores the session for this tab; `undefined` deletes it. */
export function writeSession(session: Session | undefined): void {
  if (session) sessionStorage.setItem(key, JSON.stringify(session))
  else sessionStorage.removeItem(key)
}

/** Whether a value that another page wrote is a session. */
export function isSession(value: unknown): value is Session {
  return (
    typeof value === 'object' &&
    value !== null &&
    'username' in value &&
    typeof value.username === 'string' &&
    'account' in value &&
    typeof value.account === 'string' &&
    'token' in value &&
    typeof value.token === 'string'
  )
}
