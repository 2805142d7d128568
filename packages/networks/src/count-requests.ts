import { AsyncLocalStorage } from 'node:async_hooks'

const counts = new AsyncLocalStorage<() => void>()

/**
 * Calls `sent` for each JSON-RPC request that work sends to any provider, also for what the work cannot see:
 * parts of refused ranges, second tries and checks of the chain.
 */
export const countRequests = <T>(sent: () => void, work: () => Promise<T>): Promise<T> =>
  counts.run(sent, work)

/** What to call when a request of the caller is sent; undefined if nobody counts them. */
export const requestCount = (): (() => void) | undefined => counts.getStore()
