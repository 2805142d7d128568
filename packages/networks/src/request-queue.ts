import { AsyncLocalStorage } from 'node:async_hooks'
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

const reserved = new AsyncLocalStorage<true>()

/**
 * Runs what brings signed operations onto the chain and follows them there. Its requests go first, and a tenth of each
 * endpoint's places is theirs alone: however many builds ask at once, what is signed goes on.
 */
export const withReservedShare = <T>(work: () => Promise<T>): Promise<T> => reserved.run(true, work)

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

/** The part of the places that is for work {@link withReservedShare}. */
const reservedPart = 0.1

/**
 * Bounds the requests to one endpoint: so many under way, so many waiting, and each for so long. An endpoint that
 * answers slower than it is asked refuses what it cannot take, instead of making everyone wait for longer and longer.
 */
export function createRequestQueue({ concurrency, capacity, timeout }: RequestQueueLimits): RequestQueue {
  /** In order of arrival, which a Set keeps. */
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
    const begin = () => {
      line.delete(begin)
      // Once started it keeps its place until it ends, even when its caller no longer waits.
      start(send)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    }
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
      const isReserved = reserved.getStore() === true
      if (active < (isReserved ? concurrency : shared)) return start(send)
      const line = isReserved ? waiting.reserved : waiting.others
      if (line.size >= (isReserved ? extraCapacity : capacity)) throw new QueueFullError()
      return startInTurn(line, send)
    },
  }
}
