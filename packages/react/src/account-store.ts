import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem'
import { type AppStorage, createPersistentStore } from './persistent-store.ts'

/** The signed-in account. */
export interface Account {
  readonly username: string
  /** The same on every network. */
  readonly address: Address
  /**
   * True if this browser has verified that the address follows from the passkey. False for a passkey that was
   * added later: then only the service says which address it is.
   */
  readonly proven: boolean
}

/** The signed-in account, shared by every tab of the app. */
export interface AccountStore {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => Account | undefined
  /** The account that this browser remembers for a username from an earlier visit. */
  readonly known: (username: string) => Account | undefined
  readonly signIn: (account: Account, token: string) => void
  readonly signOut: () => void
  /** The service's JWT, valid for one hour. It is kept in memory only, so a reload discards it. */
  readonly token: () => string | undefined
}

interface Stored {
  /** Lower-case username of the signed-in account. Absent after signing out. */
  readonly current?: string | undefined
  readonly accounts: Readonly<Record<string, Account>>
}

/**
 * Keeps accounts in the storage, since name and address are public. The token gives access to private
 * data, so it stays in memory.
 */
export function createAccountStore(service: string, storage: AppStorage): AccountStore {
  const store = createPersistentStore(storage, `lanyard.react.accounts.${service}`, parse)
  let token: { readonly of: string; readonly value: string } | undefined
  return {
    subscribe: store.subscribe,
    get: () => {
      const { current, accounts } = store.get()
      return current === undefined ? undefined : accounts[current]
    },
    known: (username) => store.get().accounts[username.toLowerCase()],
    signIn: (account, value) => {
      const name = account.username.toLowerCase()
      token = { of: name, value }
      store.set({ current: name, accounts: { ...store.get().accounts, [name]: account } })
    },
    signOut: () => {
      token = undefined
      store.set({ accounts: store.get().accounts })
    },
    // Another tab may have signed in to another account.
    token: () => (token?.of === store.get().current ? token?.value : undefined),
  }
}

function parse(stored: unknown): Stored {
  const { current, accounts } = (stored ?? {}) as Partial<Stored>
  const valid = Object.entries(accounts ?? {}).flatMap(([name, account]) =>
    typeof account?.username === 'string' && isAddress(account.address)
      ? [
          [
            name,
            { ...account, address: getAddress(account.address), proven: account.proven === true },
          ] as const,
        ]
      : [],
  )
  return {
    accounts: Object.fromEntries(valid),
    ...(typeof current === 'string' && { current }),
  }
}
