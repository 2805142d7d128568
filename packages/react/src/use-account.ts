import { useSyncExternalStore } from 'react'
import type { Account } from './account-store.ts'
import { useLanyardContext } from './lanyard-context.ts'

/** The signed-in account. Undefined if nobody is signed in, and on a server. */
export function useAccount(): Account | undefined {
  const { accounts } = useLanyardContext()
  return useSyncExternalStore(accounts.subscribe, accounts.get, () => undefined)
}
