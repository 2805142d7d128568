import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError } from 'viem'
import { startTimeLimit } from './time-limit.ts'

const counts = new AsyncLocalStorage<() => void>()

/**
 * Calls `sent` for each JSON-RPC request that work sends to any provider, also for what the work cannot see:
 * parts of refused ranges, second tries and checks of the chain.
 */
export const countRequests = <T>(sent: () => void, work: () => Promise<T>): Promise<T> =>
  counts.run(sent, work)

/** What to call when a request of the caller is sent; undefined if nobody counts them. */
export const requestCount = (): (() => void) | undefined => counts.getStore()

/** Thrown if a provider limits the number of requests. Nothing is wrong with the request or the node. */
export class RateLimitedError extends BaseError {
  override readonly name = 'RateLimitedError'
  /** Milliseconds until the endpoint takes requests again. */
  readonly wait: number
  /**
   * Without a cause: a code of the provider's error must not be read as an answer about the request.
   *
   * @param details - the provider's words
   */
  constructor(wait: number, details: string) {
    super('The provider limits the number of requests', { details })
    this.wait = wait
  }
}

/** A rate limit as the provider says it, before the endpoint has decided how long to wait. */
export class LimitedAnswer extends RateLimitedError {
  /** Milliseconds, if the provider says so. */
  readonly told: number | undefined
  constructor(details: string, told: number | undefined) {
    super(told ?? 0, details)
    this.told = told
  }
}

/** Longest wait that a provider can cause, milliseconds. */
const maxWait = 3_600_000

/** Waits without a Retry-After, milliseconds. */
const initialWait = 1_000
const maxWaitUntold = 30_000

/**
 * Milliseconds of a `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). Undefined if it is neither.
 *
 * @param now - milliseconds since 1970, as the provider's date
 */
export function readRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (!value) return undefined
  const wait = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), maxWait)
}

export interface RateLimitPause {
  /** Milliseconds until requests may be sent again; 0: now. */
  readonly left: number
  /**
   * Sends a request, unless there is a pause. A {@link LimitedAnswer} begins one, or prolongs it: as long as the
   * provider says, or else doubled with each limit in a row.
   *
   * @throws RateLimitedError
   */
  run<T>(send: () => Promise<T>): Promise<T>
}

/** The pauses that a provider asks for. Requests wait as long as they are told, and a second or more if not. */
export function createRateLimitPause(
  now: () => number,
  began: (pause: number, details: string) => void = () => {},
): RateLimitPause {
  let until = 0
  let setAt = 0
  let untold = initialWait
  let details = ''
  // If the clock is set back, the pause must not get longer.
  const left = () => (now() < setAt ? 0 : Math.max(0, until - now()))

  function begin({ details: said, told }: LimitedAnswer): number {
    details = said
    // Requests that were sent together are limited together: this is one limit, not several.
    const running = left()
    const pause = Math.max(told ?? (running > 0 ? running : untold), running)
    if (running > 0 && pause <= running) return running
    if (told === undefined) untold = Math.min(2 * untold, maxWaitUntold)
    setAt = now()
    until = setAt + pause
    began(pause, said)
    return pause
  }

  return {
    get left() {
      return left()
    },
    async run(send) {
      const wait = left()
      if (wait > 0) throw new RateLimitedError(wait, details)
      try {
        const answer = await send()
        if (left() === 0) untold = initialWait
        return answer
      } catch (error) {
        if (!(error instanceof LimitedAnswer)) throw error
        throw new RateLimitedError(begin(error), error.details)
      }
    },
  }
}

/** Thrown without a request: the endpoint's queue is full. */
export class QueueFullError extends BaseError {
  override readonly name = 'QueueFullError'
  constructor() {
    super('Too many requests wait for the endpoint')
  }
}

/** Thrown if a request's time-out ends while it waits in the queue. */
export class QueueTimeoutError extends BaseError {
  override readonly name = 'QueueTimeoutError'
  constructor() {
    super('The endpoint did not answer before the request timed out')
  }
}

const reserved = new AsyncLocalStorage<true>()

/**
 * Runs work that brings signed operations onto the chain and tracks them there. Its requests go first, and a
 * tenth of each endpoint's slots is reserved for them, so that signed operations proceed under any number of
 * builds.
 */
export const withReservedShare = <T>(work: () => Promise<T>): Promise<T> => reserved.run(true, work)

/** Whether the caller's requests are those of {@link withReservedShare}. */
export const hasReservedShare = (): boolean => reserved.getStore() === true

export interface RequestQueue {
  /** Requests that were sent and have no response yet. */
  readonly active: number
  /** Requests that wait in the queue. */
  readonly waiting: number
  /**
   * Sends a request when its turn comes. The time-out counts from this call: a request that times out in the
   * queue is never sent.
   *
   * @throws QueueFullError immediately, QueueTimeoutError; also errors of `send`
   */
  run<T>(send: () => Promise<T>): Promise<T>
}

interface RequestQueueLimits {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number
  /** Maximum number of waiting requests. */
  readonly capacity: number
  /** Milliseconds from the arrival of a request to its response. */
  readonly timeout: number
}

/** The share of the slots reserved for {@link withReservedShare}. */
const reservedPart = 0.1

/**
 * Limits the requests to one endpoint: how many run, how many wait, and for how long. An endpoint that is too
 * slow for its load rejects the excess, instead of making everyone wait longer and longer.
 */
export function createRequestQueue({ concurrency, capacity, timeout }: RequestQueueLimits): RequestQueue {
  /** In order of arrival, which a Set preserves. */
  const waiting = { reserved: new Set<() => void>(), others: new Set<() => void>() }
  const shared = concurrency - Math.floor(concurrency * reservedPart)
  const extraCapacity = Math.ceil(capacity * reservedPart)
  let active = 0

  async function start<T>(send: () => Promise<T>): Promise<T> {
    active++
    try {
      return await send()
    } finally {
      active--
      const [first] = waiting.reserved
      const [next] = active < shared ? waiting.others : []
      const begin = first ?? next
      begin?.()
    }
  }

  function startSerially<T>(line: Set<() => void>, send: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // It is called when another request ends, and belongs to its own caller nevertheless.
    const begin = AsyncLocalStorage.bind(() => {
      line.delete(begin)
      // Once started, it keeps its slot until it ends, even if its caller no longer waits.
      start(send).then(resolve, reject).finally(endLimit)
    })
    const endLimit = startTimeLimit(timeout, () => {
      line.delete(begin)
      reject(new QueueTimeoutError())
    })
    line.add(begin)
    return promise
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiting.reserved.size + waiting.others.size
    },
    async run(send) {
      const isReserved = hasReservedShare()
      if (active < (isReserved ? concurrency : shared)) return start(send)
      const line = isReserved ? waiting.reserved : waiting.others
      if (line.size >= (isReserved ? extraCapacity : capacity)) throw new QueueFullError()
      return startSerially(line, send)
    },
  }
}

/**
 * Shares one request among all callers in the same turn of the event loop. It is sent after the last of them.
 */
export function sharedSerially<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined
      return ask()
    })
    return next
  }
}
