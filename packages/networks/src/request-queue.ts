import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError, type Hex } from 'viem'
import { createAdaptiveLimit, type EndedRequest } from './endpoint-state.ts'
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
  readonly retryAfter: number | undefined
  constructor(details: string, retryAfter: number | undefined) {
    super(retryAfter ?? 0, details)
    this.retryAfter = retryAfter
  }
}

/** Longest wait that a provider can cause, milliseconds. */
const maxWait = 3_600_000

/** Waits without a Retry-After, milliseconds. */
const initialWait = 1_000
const maxWaitUnnamed = 30_000

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
  let unnamedWait = initialWait
  let details = ''
  // If the clock is set back, the pause must not get longer.
  const left = () => (now() < setAt ? 0 : Math.max(0, until - now()))

  function begin({ details: said, retryAfter }: RateLimitResponse): number {
    details = said
    // Requests that were sent together are limited together: this is one limit, not several.
    const running = left()
    const pause = Math.max(retryAfter ?? (running > 0 ? running : unnamedWait), running)
    if (running > 0 && pause <= running) return running
    if (retryAfter === undefined) unnamedWait = Math.min(2 * unnamedWait, maxWaitUnnamed)
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
        if (left() === 0) unnamedWait = initialWait
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
  /** What its last simulations cost: 1 for a usual one. Absent: it had none. */
  readonly cost: number | undefined
}

/**
 * What a request asks of a node: to read; to run code that a caller has chosen, with little gas; or to run it with any gas,
 * or for a caller who has not yet shown what it runs.
 */
export type RequestKind = 'read' | 'simulation' | 'costly'

interface QueuedRequest {
  readonly kind: RequestKind
  /** Absent: the service itself, which goes before all callers. */
  readonly caller: RpcCaller | undefined
}

/** Gas with which most operations are simulated, all runs of the search for their limits together. */
const boundedGas = 4_000_000n

/** The most gas of a transaction of whose data no byte is zero, without running anything (EIP-7623). */
const gasOfData = (data: string): bigint => 21_000n + 20n * BigInt(data.length)

/** The gas for a simulation that is no burden, whatever it runs: the node enforces it. */
export const boundedGasFor = (data: Hex): bigint => boundedGas + gasOfData(data)

/** Of a usual simulation. */
const usualCost = 1

/** Costs up to this are of simulations that the bounded gas may suffice for: limits of 4 million gas. */
const maxUsualCost = 2

/** Whether a caller's simulations are known to use more than {@link boundedGasFor}. */
export const isKnownAsCostly = ({ cost }: Pick<RpcCaller, 'cost'>): boolean => (cost ?? 0) > maxUsualCost

/** Whether a caller's simulations are known, and cheap. */
export const isProven = (caller: Pick<RpcCaller, 'cost'>): boolean =>
  caller.cost !== undefined && !isKnownAsCostly(caller)

/** Whether a request may run code that a caller has chosen: without an address, with overrides, or with gas of its own. */
export function isSimulation(method: string, params: unknown): boolean {
  if (method === 'eth_estimateGas' || method === 'eth_simulateV1' || method.startsWith('debug_')) return true
  const [call, , overrides] = method === 'eth_call' && Array.isArray(params) ? params : []
  return call !== undefined && (overrides !== undefined || call.to === undefined || call.gas !== undefined)
}

/**
 * No claim of a caller counts: a simulation is usual if the node stops it soon, and its caller is known for such ones. What
 * the service runs for itself is usual.
 */
export function kindOf(method: string, params: unknown, caller: RpcCaller | undefined): RequestKind {
  if (!isSimulation(method, params)) return 'read'
  if (!caller) return 'simulation'
  return isProven(caller) && isBounded(params) ? 'simulation' : 'costly'
}

/** Whether the gas of a simulation is bounded by {@link boundedGasFor}. */
function isBounded(params: unknown): boolean {
  const [{ gas = undefined, data = '0x' } = {}] = Array.isArray(params) ? params : []
  return gas !== undefined && BigInt(gas) <= boundedGasFor(data)
}

export interface RequestQueue {
  /** Requests that were sent and have no response yet. */
  readonly active: number
  /** Requests that wait in the queue. */
  readonly waiting: number
  /** Simulations that may run at once, as the node's answers show. Costly ones below 1 rest for the rest of the time. */
  readonly limits: Readonly<Record<'simulation' | 'costly', number>>
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

/** Usual simulations that a node gets at once, however slow it is. */
const minSimulations = 4

interface Waiting {
  readonly begin: () => void
  readonly reject: (error: Error) => void
}

/** In the order in which free slots are given. */
const kinds: readonly RequestKind[] = ['read', 'simulation', 'costly']

const ownRead: QueuedRequest = { kind: 'read', caller: undefined }

/** Reads cost about the same. What the service does for itself is free, and so goes first. */
function costOf({ kind, caller }: QueuedRequest): number {
  if (!caller) return 0
  return kind === 'read' ? 1 : (caller.cost ?? usualCost)
}

/** Milliseconds after the last usual simulation in which costly ones are sized by their own times. */
const aloneAfter = 1_000

/** How long usual simulations may take, compared with the quickest, before the node gets fewer costly ones. */
const costlySlowness = 1.5

/** Costly simulations at a node at once, while they slow down others: for the rest of the time, none. */
const minCostly = 0.25

/**
 * Limits the requests to one endpoint: how many run, how many wait, and for how long. An endpoint that is too
 * slow for its load rejects the excess, instead of making everyone wait longer and longer.
 *
 * Callers share the endpoint by group ({@link createFairQueue}), in three lanes: reads, usual simulations and costly ones.
 * So it is the queue that is long, where the order is fair, and not the node's own. Usual simulations are as many at once
 * as the endpoint answers without delay, and costly ones as many as delay no usual one. The service itself goes first.
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
  /** Each is created when a request first waits. */
  const lanes: Partial<Record<RequestKind, FairQueue<Waiting>>> = {}
  const waitingIn = (kind: RequestKind) => lanes[kind]?.size ?? 0
  const waitingCallers = () => kinds.reduce((sum, kind) => sum + waitingIn(kind), 0)
  const shared = concurrency - Math.floor(concurrency * reservedPart)
  const extraCapacity = Math.ceil(capacity * reservedPart)
  const usualLimit = createAdaptiveLimit({ floor: minSimulations, ceiling: shared }, clock)
  const costlyLimit = createAdaptiveLimit(
    { floor: minCostly, ceiling: shared, maxSlowness: costlySlowness },
    clock,
  )
  let active = 0
  const running: Record<RequestKind, number> = { read: 0, simulation: 0, costly: 0 }
  let usualAt = Number.NEGATIVE_INFINITY
  /** When the next costly one may start. */
  let restsUntil = Number.NEGATIVE_INFINITY
  let resting: NodeJS.Timeout | undefined

  function mayStart(kind: RequestKind): boolean {
    if (active >= shared) return false
    if (kind === 'read') return true
    if (kind === 'simulation') return running.simulation < usualLimit.current
    return running.costly < Math.max(1, costlyLimit.current) && clock() >= restsUntil
  }

  async function start<T>(send: () => Promise<T>, { kind, caller }: QueuedRequest): Promise<T> {
    const began = clock()
    let hasFailed = false
    active++
    running[kind]++
    try {
      return await send()
    } catch (error) {
      hasFailed = isFailure(error)
      throw error
    } finally {
      active--
      running[kind]--
      learn(kind, { cost: caller?.cost ?? usualCost, elapsed: clock() - began, hasFailed })
      startNext()
    }
  }

  function learn(kind: RequestKind, ended: Omit<EndedRequest, 'isBinding'>): void {
    const now = clock()
    if (kind === 'simulation') {
      usualAt = now
      usualLimit.ended({ ...ended, isBinding: waitingIn('simulation') > 0 })
    }
    if (kind === 'simulation' || (kind === 'costly' && now - usualAt > aloneAfter))
      costlyLimit.ended({ ...ended, isBinding: waitingIn('costly') > 0 })
    if (kind === 'costly') restsUntil = now + ended.elapsed * Math.max(0, 1 / costlyLimit.current - 1)
  }

  function startNext(): void {
    // Read before the turns are given: a rest that ends meanwhile has kept back a costly one, which nothing else may wake.
    const isResting = clock() < restsUntil
    for (let next = takeNext(); next; next = takeNext()) next.begin()
    if (waitingIn('costly') === 0 || !isResting) return
    clearTimeout(resting)
    resting = setTimeout(startNext, Math.max(0, Math.ceil(restsUntil - clock()))).unref()
  }

  function takeNext(): Waiting | undefined {
    const [first] = active < concurrency ? reservedLine : []
    if (first) {
      reservedLine.delete(first)
      return first
    }
    for (const kind of kinds) {
      const next = mayStart(kind) ? lanes[kind]?.take() : undefined
      if (next) return next
    }
    return undefined
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

  /** Too many wait: of the longest lane, the one that would be sent last is rejected. */
  function shorten(): void {
    if (waitingCallers() <= capacity) return
    const [longest] = kinds.toSorted((a, b) => waitingIn(b) - waitingIn(a))
    if (longest) lanes[longest]?.drop()?.reject(new QueueFullError())
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return reservedLine.size + waitingCallers()
    },
    get limits() {
      return { simulation: usualLimit.current, costly: costlyLimit.current }
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
      startNext()
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
