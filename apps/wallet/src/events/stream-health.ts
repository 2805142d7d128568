import { useSyncExternalStore } from 'react'

let isLive = false
const listeners = new Set<() => void>()

/** Whether the service streams the account's events to this tab. */
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

/** Whether the event stream is live. If so, nothing is polled. */
export const useIsLive = (): boolean => useSyncExternalStore(streamHealth.subscribe, streamHealth.isLive)
