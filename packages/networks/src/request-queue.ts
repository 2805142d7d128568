import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError } from 'viem'
import { createAdaptiveLimit, weightOf } from './endpoint-state.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
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
export class RateLimitResponse extends RateLimitedError {
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
   * Sends a request, unless there is a pause. A {@link RateLimitResponse} begins one, or prolongs it: as long as the
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

  function begin({ details: said, told }: RateLimitResponse): number {
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
        if (!(error instanceof RateLimitResponse)) throw error
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

/** Thrown if a request's time-out ends after it waited in the queue. */
export class QueueTimeoutError extends BaseError {
  override readonly name = 'QueueTimeoutError'
  /** Whether its turn came before. */
  readonly isSent: boolean
  constructor(isSent: boolean) {
    super('The endpoint did not answer before the request timed out')
    this.isSent = isSent
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

/** Who waits for a request. */
export interface RpcCaller {
  /** The same object for everything that one call sends. */
  readonly call: unknown
  /** Who shares with whom, the largest group first: an address, and one of the people behind it. */
  readonly path: readonly string[]
  /** What a simulation for this caller is expected to cost: 1 for a usual one. */
  readonly cost: number
}

/** What a request asks of a node: to run code that a caller has chosen, or to read. */
export type RequestKind = 'simulation' | 'read'

interface QueuedRequest {
  readonly kind: RequestKind
  /** Absent: the service itself, which goes before all callers. */
  readonly caller: RpcCaller | undefined
}

/** Whether a request may run code that a caller has chosen: without an address, with overrides, or with gas of its own. */
export function kindOf(method: string, params: unknown): RequestKind {
  if (method === 'eth_estimateGas' || method.startsWith('debug_')) return 'simulation'
  const [call, , overrides] = method === 'eth_call' && Array.isArray(params) ? params : []
  const mayTakeLong =
    call !== undefined && (overrides !== undefined || call.to === undefined || call.gas !== undefined)
  return mayTakeLong ? 'simulation' : 'read'
}

export interface RequestQueue {
  /** Requests that were sent and have no response yet. */
  readonly active: number
  /** Requests that wait in the queue. */
  readonly waiting: number
  /** Usual simulations that may run at once, as the node's answers show. An expensive one counts as several. */
  readonly simulations: number
  /**
   * Sends a request when its turn comes. The time-out counts from this call: a request that times out in the
   * queue is never sent.
   *
   * @param request - absent: a read of the service
   * @throws QueueFullError when too many wait, QueueTimeoutError; also errors of `send`
   */
  run<T>(send: () => Promise<T>, request?: QueuedRequest): Promise<T>
}

interface RequestQueueOptions {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number
  /** Maximum number of waiting requests. */
  readonly capacity: number
  /** Milliseconds from the arrival of a request to its response. */
  readonly timeout: number
  /** Whether an error means that the node did not do what was asked. */
  readonly isFailure?: (error: unknown) => boolean
  /** Called when a request has waited, whether it is sent or not. */
  readonly waited?: (kind: RequestKind, milliseconds: number) => void
  /** Milliseconds, monotonic. */
  readonly clock?: () => number
}

/** The share of the slots reserved for {@link withReservedShare}. */
const reservedPart = 0.1

/** Usual simulations that a node gets at once, however slow it is; of expensive ones, one. */
const minSimulations = 4

interface Waiting {
  readonly begin: () => void
  readonly reject: (error: Error) => void
}

const ownRead: QueuedRequest = { kind: 'read', caller: undefined }

/** Reads cost about the same. What the service does for itself is free, and so goes first. */
function costOf({ kind, caller }: QueuedRequest): number {
  if (!caller) return 0
  return kind === 'read' ? 1 : caller.cost
}

/**
 * Limits the requests to one endpoint: how many run, how many wait, and for how long. An endpoint that is too
 * slow for its load rejects the excess, instead of making everyone wait longer and longer.
 *
 * Callers share the endpoint by group ({@link createFairQueue}), in two lanes: reads do not wait for simulations, of which
 * the endpoint gets as many at once as it answers without delay. So it is the queue that is long, where the order is
 * fair, and not the node's own. The service itself goes first.
 */
export function createRequestQueue({
  concurrency,
  capacity,
  timeout,
  isFailure = () => true,
  waited = () => {},
  clock = () => performance.now(),
}: RequestQueueOptions): RequestQueue {
  /** In order of arrival, which a Set preserves. */
  const reservedLine = new Set<Waiting>()
  /** Created when a request first waits. */
  const lanes: Partial<Record<RequestKind, FairQueue<Waiting>>> = {}
  const waitingIn = (kind: RequestKind) => lanes[kind]?.size ?? 0
  const shared = concurrency - Math.floor(concurrency * reservedPart)
  const extraCapacity = Math.ceil(capacity * reservedPart)
  const simulationLimit = createAdaptiveLimit({ floor: minSimulations, ceiling: shared }, clock)
  let active = 0
  /** The weights of the simulations that run. */
  let simulating = 0

  const mayStart = (kind: RequestKind) =>
    active < shared && (kind === 'read' || simulating < simulationLimit.current)

  async function start<T>(send: () => Promise<T>, request: QueuedRequest): Promise<T> {
    const { kind } = request
    const cost = request.caller?.cost ?? 1
    const began = clock()
    let hasFailed = false
    active++
    if (kind === 'simulation') simulating += weightOf(cost)
    try {
      return await send()
    } catch (error) {
      hasFailed = isFailure(error)
      throw error
    } finally {
      active--
      if (kind === 'simulation') {
        simulating -= weightOf(cost)
        simulationLimit.ended({
          cost,
          elapsed: clock() - began,
          isBinding: waitingIn('simulation') > 0,
          hasFailed,
        })
      }
      for (let next = takeNext(); next; next = takeNext()) next.begin()
    }
  }

  function takeNext(): Waiting | undefined {
    const [first] = active < concurrency ? reservedLine : []
    if (first) {
      reservedLine.delete(first)
      return first
    }
    const read = mayStart('read') ? lanes.read?.take() : undefined
    return read ?? (mayStart('simulation') ? lanes.simulation?.take() : undefined)
  }

  function startLater<T>(send: () => Promise<T>, request: QueuedRequest): Promise<T> {
    const { kind, caller } = request
    const since = clock()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let hasBegun = false
    const waiting: Waiting = {
      // It is called when another request ends, and belongs to its own caller nevertheless.
      begin: AsyncLocalStorage.bind(() => {
        hasBegun = true
        waited(kind, clock() - since)
        // Once started, it keeps its slot until it ends, even if its caller no longer waits.
        start(send, request).then(resolve, reject).finally(endLimit)
      }),
      reject(error) {
        endLimit()
        if (!hasBegun) waited(kind, clock() - since)
        reject(error)
      },
    }
    const endLimit = startTimeLimit(timeout, () => {
      reservedLine.delete(waiting)
      lanes[kind]?.delete(waiting)
      waiting.reject(new QueueTimeoutError(hasBegun))
    })
    if (hasReservedShare()) reservedLine.add(waiting)
    else {
      lanes[kind] ??= createFairQueue()
      lanes[kind].add(waiting, { path: caller?.path ?? [], cost: costOf(request) })
    }
    return promise
  }

  /** Too many wait: of the longer lane, the one that would be sent last is rejected. */
  function shorten(): void {
    if (waitingIn('read') + waitingIn('simulation') <= capacity) return
    const longer = waitingIn('read') > waitingIn('simulation') ? lanes.read : lanes.simulation
    longer?.drop()?.reject(new QueueFullError())
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return reservedLine.size + waitingIn('read') + waitingIn('simulation')
    },
    get simulations() {
      return simulationLimit.current
    },
    async run(send, request = ownRead) {
      if (hasReservedShare()) {
        if (active < concurrency) return start(send, request)
        if (reservedLine.size >= extraCapacity) throw new QueueFullError()
        return startLater(send, request)
      }
      if (waitingIn(request.kind) === 0 && mayStart(request.kind)) return start(send, request)
      const answer = startLater(send, request)
      shorten()
      return answer
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
