import { readStored } from '@lanyard/ui'
import { type Address, getAddress, isAddress } from 'viem'

/**
 * An account that was used in this browser. On the next sign-in, its address is compared with the one that
 * the service returns. It is public, so it may stay in `localStorage` after signing out.
 */
export interface KnownAccount {
  readonly username: string
  readonly account: Address
}

const lastKey = 'lanyard.last-username'
const accountKey = (username: string) => `lanyard.account.${username.toLowerCase()}`

/** The username that last signed in in this browser. */
export function lastUsername(): string | undefined {
  try {
    return localStorage.getItem(lastKey) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores an account as the last one used. */
export function rememberAccount({ username, account }: KnownAccount): void {
  try {
    localStorage.setItem(lastKey, username)
    localStorage.setItem(accountKey(username), JSON.stringify({ username, account }))
  } catch {
    // Storage is blocked, so the account is unknown next time.
  }
}

/** The stored account of a user. Undefined if there is none. */
export function knownAccount(username: string): KnownAccount | undefined {
  const stored: { username?: unknown; account?: unknown } = Object(readStored(accountKey(username)))
  if (typeof stored.username !== 'string' || typeof stored.account !== 'string') return undefined
  return isAddress(stored.account)
    ? { username: stored.username, account: getAddress(stored.account) }
    : undefined
}
