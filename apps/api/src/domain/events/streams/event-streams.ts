import { type PublishedEvent, watchAccount } from '@lanyard/database'
import type { Caller } from '../../accounts/callers/caller.ts'
import { createEventFeed, type FeedDependencies } from './event-feed.ts'
import { createStreamPlaces, type StreamLimits } from './stream-places.ts'

/** Milliseconds after which a stream ends, and its reader connects again with credentials that hold. */
const maxDuration = 15 * 60_000

/** Milliseconds for which logs of an account are read after its stream began: its reader may come back a while later. */
const watchDuration = 2 * maxDuration

interface StreamRequest {
  readonly caller: Caller
  /** In lower case; undefined: of all accounts. */
  readonly account: string | undefined
  /** The last position that was had; undefined: from now on. */
  readonly after: number | undefined
  /** The reader is gone. */
  readonly signal: AbortSignal
}

export interface EventStream {
  /** The events, in order, until the stream ends. */
  readonly events: AsyncGenerator<PublishedEvent>
  /** Aborted when it ends, whatever for. */
  readonly signal: AbortSignal
}

/** Streams of events of this process, over whatever transport. */
export interface EventStreams {
  /** @throws RATE_LIMITED */
  open(request: StreamRequest): Promise<EventStream>
}

interface StreamDependencies extends FeedDependencies {
  /** Aborted when the service has begun to close. */
  readonly closing: AbortSignal
}

export function createEventStreams(dependencies: StreamDependencies, limits?: StreamLimits): EventStreams {
  const { database, now, closing } = dependencies
  const feed = createEventFeed(dependencies)
  const places = createStreamPlaces(limits)
  return {
    async open({ caller, account, after, signal: gone }) {
      const evicted = new AbortController()
      const release = places.take(caller, () => evicted.abort())
      const signal = AbortSignal.any([gone, evicted.signal, closing, AbortSignal.timeout(maxDuration)])
      signal.addEventListener('abort', release, { once: true })
      if (signal.aborted) release()
      try {
        await watchAccount(database, { account, until: new Date(now().getTime() + watchDuration) })
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
