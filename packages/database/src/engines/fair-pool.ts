import { clearTimeout, setTimeout } from 'node:timers'
import pg from 'pg'

/** Starts something that waits for a connection. */
type Start = () => void

/** Who waits for a connection, in the order in which they get one. */
export interface ConnectionQueue {
  /** Called in the context of what waits. */
  add(start: Start): void
  /** Removes the one whose turn it is. */
  take(): Start | undefined
  delete(start: Start): void
}

type Connected = Parameters<pg.Pool['connect']>[0]
type Connection = Parameters<Connected>

/** In the order of their arrival. */
export function createArrivalQueue(): ConnectionQueue {
  const starts = new Set<Start>()
  return {
    add: (start) => void starts.add(start),
    take() {
      const [first] = starts
      if (first) starts.delete(first)
      return first
    },
    delete: (start) => void starts.delete(start),
  }
}

/**
 * A pool whose connections are given in the order of a queue. pg's own order is that of arrival, so a caller who asks for most
 * also gets most.
 */
export class FairPool extends pg.Pool {
  readonly #queue: ConnectionQueue
  readonly #max: number
  readonly #timeout: number
  readonly #lent = new Set<pg.PoolClient>()
  #connecting = 0

  constructor(
    config: pg.PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number },
    queue: ConnectionQueue,
  ) {
    super(config)
    this.#queue = queue
    this.#max = config.max
    this.#timeout = config.connectionTimeoutMillis
    // The pool has the client back in the same turn: what connects now gets this one.
    this.on('release', (_error, client) => {
      if (this.#lent.delete(client)) this.#startNext()
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (connected) {
      this.#connectInTurn(connected)
      return undefined
    }
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    this.#connectInTurn((error, client) => (client ? resolve(client) : reject(error)))
    return promise
  }

  #connectInTurn(connected: Connected): void {
    // A pool that is closed answers at once, with its own error.
    if (this.#isFree || this.ending) {
      this.#connectNow(connected)
      return
    }
    const start = () => {
      clearTimeout(timer)
      this.#connectNow(connected)
    }
    const timer = setTimeout(() => {
      this.#queue.delete(start)
      connected(new Error('timeout exceeded when trying to connect'), undefined, () => {})
    }, this.#timeout)
    this.#queue.add(start)
  }

  get #isFree(): boolean {
    return this.#lent.size + this.#connecting < this.#max
  }

  #startNext(): void {
    if (this.#isFree) this.#queue.take()?.()
  }

  #connectNow(connected: Connected): void {
    this.#connecting++
    super.connect((...connection: Connection) => {
      const [, client] = connection
      this.#connecting--
      if (client) this.#lent.add(client)
      // Not at once: a pool that is closed answers in the same turn, and each of thousands who wait would call the next.
      else queueMicrotask(() => this.#startNext())
      connected(...connection)
    })
  }
}
