import type { Address } from 'viem'

/** Who is signed in. The token opens what is private to the user; it can move nothing. */
export interface Session {
  readonly username: string
  /** The smart account, the same on every network. */
  readonly account: Address
  /** JWT of the service, one hour. Empty in a popup, which only uses what takes no token. */
  readonly token: string
  /** That the account is this person's is only the service's word: see `open-session.ts`. */
  readonly unproven?: boolean
}

const key = 'lanyard.session'

/**
 * The session of this tab: in `sessionStorage`, so that a reload keeps it and closing the tab ends it.
 *
 * @returns undefined when nobody is signed in, or what is stored is not ours.
 */
export function readSession(): Session | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isSession(value) ? value : undefined
  } catch {
    return undefined // storage is blocked, or holds something else
  }
}

/** Keeps the session for this tab; `undefined` forgets it. */
export function writeSession(session: Session | undefined): void {
  if (session) sessionStorage.setItem(key, JSON.stringify(session))
  else sessionStorage.removeItem(key)
}

function isSession(value: unknown): value is Session {
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
