import { BaseError } from 'viem'

/** Thrown without asking: as many requests as may wait for the endpoint are waiting. */
export class QueueFullError extends BaseError {
  override readonly name = 'QueueFullError'
  constructor() {
    super('Too many requests wait for the endpoint')
  }
}

/** Thrown when the time-out of a request is over that had to wait for its turn. */
export class QueueTimeoutError extends BaseError {
  override readonly name = 'QueueTimeoutError'
  constructor() {
    super('The endpoint did not answer within the time-out of the request')
  }
}

export interface RequestQueue {
  /** Requests that were sent and are not answered. */
  readonly active: number
  /** Requests that wait for their turn. */
  readonly waiting: number
  /**
   * Sends a request when it is its turn. The time-out counts from this call: a request whose time-out is over before its
   * turn is never sent.
   *
   * @throws QueueFullError at once, QueueTimeoutError; else what `send` throws
   */
  run<T>(send: () => Promise<T>): Promise<T>
}

export interface RequestQueueLimits {
  /** Most requests under way at once. */
  readonly concurrency: number
  /** Most requests that wait. */
  readonly capacity: number
  /** Milliseconds from the arrival of a request to its answer. */
  readonly timeout: number
}

/**
 * Bounds the requests to one endpoint: so many under way, so many waiting, and each for so long. An endpoint that
 * answers slower than it is asked refuses what it cannot take, instead of making everyone wait for longer and longer.
 */
export function createRequestQueue({ concurrency, capacity, timeout }: RequestQueueLimits): RequestQueue {
  /** In order of arrival, which a Set keeps. */
  const waiting = new Set<() => void>()
  let active = 0

  async function start<T>(send: () => Promise<T>): Promise<T> {
    active++
    try {
      return await send()
    } finally {
      active--
      const [next] = waiting
      next?.()
    }
  }

  function startInTurn<T>(send: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const begin = () => {
      waiting.delete(begin)
      // Once started it keeps its place until it ends, even when its caller no longer waits.
      start(send)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    }
    const timer = setTimeout(() => {
      waiting.delete(begin)
      reject(new QueueTimeoutError())
    }, timeout)
    waiting.add(begin)
    return promise
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiting.size
    },
    async run(send) {
      if (active < concurrency) return start(send)
      if (waiting.size >= capacity) throw new QueueFullError()
      return startInTurn(send)
    },
  }
}
