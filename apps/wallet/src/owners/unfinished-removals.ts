import { useSyncExternalStore } from 'react'
import { type Address, isAddress } from 'viem'
import { useSession } from '../sign-in/session-context.tsx'

const keyOf = (account: Address) => `lanyard.removals.${account.toLowerCase()}`

const listeners = new Set<() => void>()
/** What each account's stored text means, so that a reader gets the same set until the text changes. */
const cache = new Map<string, { readonly text: string; readonly removals: ReadonlySet<string> }>()

/** Lower-case addresses of owners whose removal was started in this browser and is not finished. */
function unfinishedRemovals(account: Address): ReadonlySet<string> {
  const key = keyOf(account)
  const text = readText(key)
  const cached = cache.get(key)
  if (cached?.text === text) return cached.removals
  const removals = new Set(text.split(' ').filter((address) => isAddress(address, { strict: false })))
  cache.set(key, { text, removals })
  return removals
}

/** Remembers that an owner's removal was started, so that Owners and Home remind until it is finished. */
export const startRemoval = (account: Address, owner: Address) =>
  write(account, [...unfinishedRemovals(account), owner.toLowerCase()])

/** The owner is removed everywhere, or the person wants to keep it after all. */
export const endRemoval = (account: Address, owner: Address) =>
  write(
    account,
    [...unfinishedRemovals(account)].filter((address) => address !== owner.toLowerCase()),
  )

export function useUnfinishedRemovals(): ReadonlySet<string> {
  const { account } = useSession()
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => unfinishedRemovals(account),
  )
}

function readText(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return '' // storage is blocked, so nothing can be remembered
  }
}

function write(account: Address, removals: readonly string[]): void {
  try {
    if (removals.length > 0) localStorage.setItem(keyOf(account), [...new Set(removals)].join(' '))
    else localStorage.removeItem(keyOf(account))
  } catch {
    // Storage is blocked: the list of owners still shows where the owner can act.
  }
  for (const listener of listeners) listener()
}
