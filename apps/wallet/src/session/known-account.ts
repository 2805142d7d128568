import { type Address, getAddress, isAddress } from 'viem'

/**
 * An account that was used in this browser: its address is compared with what the service names next time. It is
 * public knowledge, so it may stay in `localStorage` after signing out.
 */
export interface KnownAccount {
  readonly username: string
  readonly account: Address
}

const lastKey = 'lanyard.last-username'
const accountKey = (username: string) => `lanyard.account.${username.toLowerCase()}`

/** The username that signed in last in this browser. */
export function lastUsername(): string | undefined {
  try {
    return localStorage.getItem(lastKey) ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers an account, as the last one. */
export function rememberAccount({ username, account }: KnownAccount): void {
  try {
    localStorage.setItem(lastKey, username)
    localStorage.setItem(accountKey(username), JSON.stringify({ username, account }))
  } catch {
    // Storage is blocked: the account is not recognised next time.
  }
}

/** What this browser knows about a user, undefined if nothing. */
export function knownAccount(username: string): KnownAccount | undefined {
  try {
    const stored: { username?: unknown; account?: unknown } | null = JSON.parse(
      localStorage.getItem(accountKey(username)) ?? 'null',
    )
    if (typeof stored?.username !== 'string' || typeof stored.account !== 'string') return undefined
    return isAddress(stored.account)
      ? { username: stored.username, account: getAddress(stored.account) }
      : undefined
  } catch {
    return undefined
  }
}
