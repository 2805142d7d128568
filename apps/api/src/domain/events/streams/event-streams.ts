import { LanyardError } from '@lanyard/contracts'
import { type PublishedEvent, watchAccount } from '@lanyard/database'
import { type Caller, groupOf } from '../../accounts/callers/caller.ts'
import { createEventFeed, type FeedDependencies } from './event-feed.ts'
import { createStreamSlots, type StreamLimits } from './stream-slots.ts'

/** Milliseconds after which a stream ends. Its reader then reconnects with fresh credentials. */
const maxDuration = 15 * 60_000

/**
 * Milliseconds for which an account's logs are read after a stream starts. It is longer than a stream,
 * because the reader may reconnect later.
 */
const watchDuration = 2 * maxDuration

interface StreamRequest {
  readonly caller: Caller
  /** In lower case; undefined for all accounts. */
  readonly account: string | undefined
  /** The last position that was received; undefined: from now on. */
  readonly after: number | undefined
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal
}

export interface EventStream {
  /** The events, in order, until the stream ends. */
  readonly events: AsyncGenerator<PublishedEvent>
  /** Aborted when the stream ends, for any reason. */
  readonly signal: AbortSignal
}

/** The event streams of this process, over any transport. */
export interface EventStreams {
  /** @throws RATE_LIMITED */
  open(request: StreamRequest): Promise<EventStream>
}

interface StreamDependencies extends FeedDependencies {
  /** Aborted when the service starts to close. */
  readonly closing: AbortSignal
}

export function createEventStreams(dependencies: StreamDependencies, limits?: StreamLimits): EventStreams {
  const { database, now, closing } = dependencies
  const feed = createEventFeed(dependencies)
  const slots = createStreamSlots(limits)
  const watched = createWatchedAccounts()
  return {
    async open({ caller, account, after, signal: gone }) {
      const evicted = new AbortController()
      const release = slots.take(caller, () => evicted.abort())
      const signal = AbortSignal.any([gone, evicted.signal, closing, AbortSignal.timeout(maxDuration)])
      signal.addEventListener('abort', release, { once: true })
      if (signal.aborted) release()
      try {
        const time = { now: now(), until: new Date(now().getTime() + watchDuration) }
        if (account !== undefined) watched.add(caller, account, time)
        await watchAccount(database, { account, until: time.until })
      } catch (error) {
        release()
        throw error
      }
      return { signal, events: flatten(feed.listen({ account, after, signal }), release) }
    },
  }
}

async function* flatten(
  pages: AsyncGenerator<readonly PublishedEvent[]>,
  release: () => void,
): AsyncGenerator<PublishedEvent> {
  try {
    for await (const page of pages) yield* page
  } finally {
    release()
  }
}

/**
 * Maximum number of accounts whose logs the addresses of one network may have read. It is more than the wallets of an
 * office. Beyond 500 accounts, all logs of a chain are read (`watchAccountLogs`).
 */
const maxAccounts = 100

/** Seconds after which the caller may try again. */
const retryAfter = 60

/** The accounts whose logs are read because somebody listens, by who listens. */
export interface WatchedAccounts {
  /**
   * Counts an account until the reading of its logs ends, which is later than its stream.
   *
   * @throws RATE_LIMITED
   */
  add(caller: Caller, account: string, time: { readonly now: Date; readonly until: Date }): void
}

export function createWatchedAccounts(): WatchedAccounts {
  // In the order in which they end, since all watches last equally long.
  const watches = new Map<string, { readonly group: string; readonly until: Date }>()
  return {
    add({ kind, name }, account, { now, until }) {
      if (kind === 'key') return
      for (const [key, watch] of watches) {
        if (watch.until > now) break
        watches.delete(key)
      }
      const group = groupOf({ kind, name })
      const key = `${group} ${account}`
      if (!watches.delete(key)) {
        const count = [...watches.values()].filter((watch) => watch.group === group).length
        if (count >= maxAccounts) {
          throw new LanyardError('RATE_LIMITED', {
            message: `Your network already listens to ${maxAccounts} accounts. Poll for the state instead.`,
            details: { retryAfter },
          })
        }
      }
      watches.set(key, { group, until })
    },
  }
}
