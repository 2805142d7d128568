import { useSyncExternalStore } from 'react'

let isLive = false
const listeners = new Set<() => void>()

/** Whether the service tells this tab what happens to the account. */
export const streamHealth = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isLive: () => isLive,
  set: (next: boolean) => {
    if (next === isLive) return
    isLive = next
    for (const listener of listeners) listener()
  },
}

/** Whether the service tells what happens: then nothing of it is asked for again and again. */
export const useIsLive = (): boolean => useSyncExternalStore(streamHealth.subscribe, streamHealth.isLive)
