import { setTimeout as delay } from 'node:timers/promises'
import {
  type Database,
  type PublishedEvent,
  publishEvents,
  readEvents,
  readLastPosition,
} from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

/** Milliseconds between polls for new events while there are listeners. */
const pollInterval = 500

/** Maximum number of events in one read, of the loop and of a listener. */
const pageSize = 200

interface Listener {
  /** In lower case; undefined for all accounts. */
  readonly account: string | undefined
  readonly wake: () => void
}

/** New events for the listeners of this process. */
export interface EventFeed {
  /**
   * Yields pages of events in order, until the signal is aborted.
   *
   * @param after - the last position that was received; absent: from now on
   */
  listen(given: {
    readonly account?: string | undefined
    readonly after?: number | undefined
    readonly signal: AbortSignal
  }): AsyncGenerator<readonly PublishedEvent[]>
}

export interface FeedDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
}

/**
 * One polling loop per process while there are listeners. It wakes those whose account has new events, and
 * they read the events themselves.
 */
export function createEventFeed({ database, now, log }: FeedDependencies): EventFeed {
  const listeners = new Set<Listener>()
  let isRunning = false

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      let seen = await readLastPosition(database)
      // Events before the first read were not announced to any listener.
      for (const { wake } of listeners) wake()
      while (listeners.size > 0) {
        await publishEvents(database, now())
        const fresh = await readEvents(database, { after: seen, limit: pageSize })
        seen = fresh.at(-1)?.position ?? seen
        const accounts = new Set(fresh.map(({ account }) => account))
        for (const { account, wake } of listeners) {
          if (account === undefined ? fresh.length > 0 : accounts.has(account)) wake()
        }
        if (fresh.length < pageSize) await delay(pollInterval)
      }
    } finally {
      isRunning = false
    }
  }

  async function keepRunning(): Promise<void> {
    while (listeners.size > 0) {
      await run().catch((error: unknown) => {
        log.warn({ err: error }, 'could not read events; it will be retried')
        return delay(pollInterval)
      })
    }
  }

  return {
    async *listen({ account, after, signal }) {
      let position = after ?? (await readLastPosition(database))
      let isAwake = true
      let rouse = () => {}
      const wake = () => {
        isAwake = true
        rouse()
      }
      const listener = { account, wake }
      listeners.add(listener)
      signal.addEventListener('abort', wake)
      if (!isRunning) void keepRunning()
      try {
        while (!signal.aborted) {
          isAwake = false
          const page = await readEvents(database, { after: position, account, limit: pageSize })
          position = page.at(-1)?.position ?? position
          if (page.length > 0) yield page
          if (page.length === pageSize || isAwake) continue
          await new Promise<void>((resolve) => {
            rouse = resolve
            if (isAwake || signal.aborted) resolve()
          })
        }
      } finally {
        listeners.delete(listener)
        signal.removeEventListener('abort', wake)
      }
    },
  }
}
