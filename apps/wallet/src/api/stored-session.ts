import type { Address } from 'viem'

/** A sign-in session. The token gives access to the user's private data; it cannot move money. */
export interface Session {
  readonly username: string
  /** The smart account, the same on every network. */
  readonly account: Address
  /** The service's JWT, valid as long as the operator configured (TOKEN_LIFETIME). Empty in a popup, which makes no requests that need it. */
  readonly token: string
  /** The passkey of the sign-in, base64url. Undefined in a popup. */
  readonly credentialId?: string
  /** True if only the service says that the account belongs to this person: see `open-session.ts`. */
  readonly unproven?: boolean
}

const key = 'lanyard.session'

/** Seconds. A longer session survives the last tab: its operator wants people to stay signed in. */
const usualLifetime = 3_600

/**
 * The session of this tab, or a long one of an earlier tab. In `sessionStorage`, a reload keeps it and closing the tab
 * ends it.
 *
 * @returns undefined if nobody is signed in, or the stored value is not a session
 */
export function readSession(): Session | undefined {
  return readFrom('sessionStorage') ?? readFrom('localStorage')
}

function readFrom(storage: 'sessionStorage' | 'localStorage'): Session | undefined {
  try {
    const value: unknown = JSON.parse(window[storage].getItem(key) ?? 'null')
    if (!isSession(value)) return undefined
    return storage === 'localStorage' && timesOf(value)?.isOver ? undefined : value
  } catch {
    return undefined // storage is blocked, or has other content
  }
}

/** Stores the session for this tab, and a long one for later tabs; `undefined` deletes it. */
export function writeSession(session: Session | undefined): void {
  const text = JSON.stringify(session)
  if (session) sessionStorage.setItem(key, text)
  else sessionStorage.removeItem(key)
  try {
    if (session && timesOf(session)?.isLong) localStorage.setItem(key, text)
    else localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so the session ends with its tabs.
  }
}

/** What the claims of the token (RFC 7519) say. The service verifies it; here they only decide where it is kept. */
function timesOf({ token }: Session): { readonly isLong: boolean; readonly isOver: boolean } | undefined {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { iat, exp } = JSON.parse(atob(payload))
    return { isLong: exp - iat > usualLifetime, isOver: exp * 1_000 <= Date.now() }
  } catch {
    return undefined
  }
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
