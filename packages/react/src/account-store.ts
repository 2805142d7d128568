import { type Address, getAddress, isAddress } from 'viem'

/** The account of whoever is signed in. */
export interface Account {
  readonly username: string
  /** The same on every network. */
  readonly address: Address
  /**
   * This browser has seen that the address follows from the passkey. False for a passkey that was added later: then the
   * address is the service's word.
   */
  readonly proven: boolean
}

/** Who is signed in, in this page. */
export interface AccountStore {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => Account | undefined
  /** The account that this browser knows for a name, from an earlier visit. */
  readonly known: (username: string) => Account | undefined
  readonly signIn: (account: Account, token: string) => void
  readonly signOut: () => void
  /** JWT of the service, one hour. In memory only: a reload forgets it. */
  readonly token: () => string | undefined
}

interface Stored {
  /** Whose account it is now; absent after signing out. */
  readonly current?: string | undefined
  readonly accounts: Readonly<Record<string, Account>>
}

/** Keeps accounts in `localStorage`: name and address are public. The token opens private data, so it stays in memory. */
export function createAccountStore(service: string): AccountStore {
  const storageKey = `lanyard.react.accounts.${service}`
  const listeners = new Set<() => void>()
  let token: string | undefined
  let stored = read(storageKey)

  const write = (next: Stored) => {
    stored = next
    try {
      localStorage.setItem(storageKey, JSON.stringify(next))
    } catch {
      // Storage is blocked: the account is forgotten with the page.
    }
    for (const listener of listeners) listener()
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get: () => (stored.current === undefined ? undefined : stored.accounts[stored.current]),
    known: (username) => stored.accounts[username.toLowerCase()],
    signIn: (account, newToken) => {
      token = newToken
      const name = account.username.toLowerCase()
      write({ current: name, accounts: { ...stored.accounts, [name]: account } })
    },
    signOut: () => {
      token = undefined
      write({ accounts: stored.accounts })
    },
    token: () => token,
  }
}

function read(storageKey: string): Stored {
  try {
    const value: Partial<Stored> | null = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    const accounts = Object.entries(value?.accounts ?? {}).flatMap(([name, account]) =>
      typeof account.username === 'string' && isAddress(account.address)
        ? [
            [
              name,
              { ...account, address: getAddress(account.address), proven: account.proven === true },
            ] as const,
          ]
        : [],
    )
    return {
      accounts: Object.fromEntries(accounts),
      ...(typeof value?.current === 'string' && { current: value.current }),
    }
  } catch {
    return { accounts: {} } // no browser, storage is blocked, or holds something else
  }
}
