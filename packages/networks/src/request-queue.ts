import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError } from 'viem'

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

export interface RequestQueueLimits {
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

  function startInTurn<T>(line: Set<() => void>, send: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // It is called when another request ends, and belongs to its own caller nevertheless.
    const begin = AsyncLocalStorage.bind(() => {
      line.delete(begin)
      // Once started, it keeps its slot until it ends, even if its caller no longer waits.
      start(send)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
    const timer = setTimeout(() => {
      line.delete(begin)
      reject(new QueueTimeoutError())
    }, timeout)
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
      return startInTurn(line, send)
    },
  }
}
