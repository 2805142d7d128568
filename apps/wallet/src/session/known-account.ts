import { type Address, getAddress, type Hex, hexToBigInt, isAddress, isAddressEqual, isHex } from 'viem'
import type { PasskeyPublicKey } from '../passkey/public-key.ts'

/**
 * What this browser saw when the account was made: enough to recompute the address without asking anyone. It is
 * public knowledge, so it may stay in `localStorage` after signing out.
 */
export interface KnownAccount {
  readonly username: string
  readonly account: Address
  /** Absent where the passkey was made in another browser. */
  readonly publicKey?: PasskeyPublicKey
}

interface StoredAccount {
  username: string
  account: string
  x?: Hex
  y?: Hex
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

/** Remembers an account; the public key that is known of it already stays. */
export function rememberAccount({ username, account, publicKey }: KnownAccount): void {
  const known = knownAccount(username)
  const key = publicKey ?? (known && isAddressEqual(known.account, account) ? known.publicKey : undefined)
  const stored: StoredAccount = {
    username,
    account,
    ...(key && { x: `0x${key.x.toString(16)}`, y: `0x${key.y.toString(16)}` }),
  }
  try {
    localStorage.setItem(lastKey, username)
    localStorage.setItem(accountKey(username), JSON.stringify(stored))
  } catch {
    // Storage is blocked: the name has to be typed again next time.
  }
}

/** What this browser knows about a user, undefined if nothing. */
export function knownAccount(username: string): KnownAccount | undefined {
  try {
    const stored: Partial<StoredAccount> | null = JSON.parse(
      localStorage.getItem(accountKey(username)) ?? 'null',
    )
    if (!stored?.username || !stored.account || !isAddress(stored.account)) return undefined
    const account = { username: stored.username, account: getAddress(stored.account) }
    if (!isHex(stored.x) || !isHex(stored.y)) return account
    return { ...account, publicKey: { x: hexToBigInt(stored.x), y: hexToBigInt(stored.y) } }
  } catch {
    return undefined
  }
}
