import { EndpointError } from './endpoint-error.ts'

const pausedAfter = (failure: unknown) =>
  new EndpointError('CircuitOpenError', 'The endpoint failed several times in a row and is paused', failure)

export interface CircuitChange {
  readonly state: 'open' | 'closed'
  /** Milliseconds until the endpoint is tried again. */
  readonly pause?: number
}

export interface Circuit {
  readonly isOpen: boolean
  /** @throws EndpointError `CircuitOpenError` while the circuit is open; else what `use` throws */
  run<T>(use: () => Promise<T>): Promise<T>
}

interface CircuitOptions {
  /** Milliseconds. */
  readonly now: () => number
  /** Checks in short, bounded time whether the endpoint is back; rejects if it is not. */
  readonly probe: () => Promise<unknown>
  /** Whether an error means that there was no usable response. Any other error is a response. */
  readonly isFailure: (error: unknown) => boolean
  readonly changed: (change: CircuitChange) => void
}

/** One or two failed round trips may be accidents. A batch of requests that fails together counts once. */
const maxFailures = 3

const initialBackoff = 1_000
const maxBackoff = 30_000

/**
 * Keeps callers from waiting for a dead endpoint: after several failures in a row it gets no requests, for
 * one second at first and up to thirty. Then a probe decides, and concurrent callers wait for its result. Any
 * response to any caller closes the circuit.
 *
 * Published circuit breakers use real requests as probes, each with its full time-out, depend on the system's
 * clock, and count the requests of a batch one by one.
 */
export function createCircuit({ now, probe, isFailure, changed }: CircuitOptions): Circuit {
  let failures = 0
  let lastFailure: unknown
  let pause = 0
  /** When the pause began; absent: the circuit is closed. */
  let openedAt: number | undefined
  let probing: Promise<void> | undefined

  function open(nextPause: number): void {
    pause = nextPause
    openedAt = now()
    changed({ state: 'open', pause })
  }
  function answered(): void {
    failures = 0
    lastFailure = undefined
    if (openedAt === undefined) return
    openedAt = undefined
    changed({ state: 'closed' })
  }
  function failed(error: unknown): void {
    if (openedAt !== undefined || error === lastFailure) return
    lastFailure = error
    failures++
    if (failures >= maxFailures) open(initialBackoff)
  }
  /** If the clock is set back, the pause must not get longer. */
  const isPauseOver = (since: number) => now() >= since + pause || now() < since

  async function tryAgain(): Promise<void> {
    try {
      await probe()
      answered()
    } catch (error) {
      if (!isFailure(error)) return answered()
      open(Math.min(2 * pause, maxBackoff))
      throw error
    } finally {
      probing = undefined
    }
  }

  return {
    get isOpen() {
      return openedAt !== undefined
    },
    async run(use) {
      if (openedAt !== undefined) {
        if (!probing && !isPauseOver(openedAt)) throw pausedAfter(lastFailure)
        probing ??= tryAgain()
        await probing
      }
      try {
        const result = await use()
        answered()
        return result
      } catch (error) {
        if (isFailure(error)) failed(error)
        else answered()
        throw error
      }
    },
  }
}

/** The largest size that an endpoint accepts, learned from its answers. */
export interface LearnedLimit {
  /** The size to use now. */
  readonly current: number
  /** The largest size that was accepted and is not known to be refused; 0: none yet. */
  readonly proven: number
  accepted(size: number): void
  /**
   * @param named - the limit that the refusal names, if any
   */
  refused(size: number, named?: number): void
  /** Undoes what refusals taught since a moment: the size was not their cause. */
  restore(to: LearnedState): void
  /** The state to restore. */
  save(): LearnedState
}

interface LearnedState {
  readonly current: number
  readonly ceiling: number | undefined
}

/** Milliseconds after which a larger size is tried again: plans and providers change. */
const relearnAfter = 3_600_000

/**
 * Starts with the largest size. A refusal leads to half of it, and successes to sizes between the largest
 * accepted and the smallest refused one, until the two are close.
 *
 * @param limit - the largest size to try
 * @param now - milliseconds
 */
export function createLearnedLimit(limit: number, now: () => number): LearnedLimit {
  let current = limit
  let proven = 0
  /** The smallest refused size. */
  let ceiling: number | undefined
  let rejectedAt = 0

  const between = (low: number, high: number) => Math.floor((low + high) / 2)

  return {
    get current() {
      if (ceiling !== undefined && now() - rejectedAt >= relearnAfter) {
        ceiling = undefined
        current = Math.min(limit, 2 * current)
      }
      return current
    },
    get proven() {
      return proven
    },
    accepted(size) {
      proven = Math.max(proven, size)
      if (size < current || current >= limit) return
      if (ceiling === undefined) current = Math.min(limit, 2 * current)
      else if (ceiling - current > current / 4) current = between(current, ceiling)
    },
    refused(size, named) {
      rejectedAt = now()
      if (ceiling !== undefined && size >= ceiling) return // sent before the limit was known
      ceiling = size
      if (proven >= size) proven = 0
      const isPlausible = named !== undefined && named < size && named > proven
      current = Math.max(1, isPlausible ? named : Math.max(proven, Math.floor(size / 2)))
    },
    restore(to) {
      ;({ current, ceiling } = to)
    },
    save: () => ({ current, ceiling }),
  }
}

/** How much of one kind of requests a node gets at once. */
export interface AdaptiveLimit {
  /** A fraction, too. */
  readonly current: number
  /** A request got its answer. */
  ended(request: EndedRequest): void
}

export interface EndedRequest {
  /** What it was expected to cost: 1 for a usual one. */
  readonly cost: number
  /** Milliseconds from sending to its answer. */
  readonly elapsed: number
  /** Whether others waited meanwhile: only then does the limit matter. */
  readonly isBinding: boolean
  /** Whether there was no answer. An error may come sooner than any answer. */
  readonly hasFailed: boolean
}

/** How many times as long as alone answers may take before the node gets fewer requests. */
const usualSlowness = 2

/** Milliseconds that are no sign of load: of a fast node, or of the clock. */
const noise = 2

/** The next power of two. */
const sizeOf = (cost: number) => Math.ceil(Math.log2(Math.max(cost, 2 ** -10)))

/**
 * The part of the limit that is left when answers take longer. It is less than 1 / {@link usualSlowness}: the shortest time is
 * then measured with so few requests that the limit does not creep up under a load that lasts.
 */
const decrease = 0.4

/**
 * Milliseconds after which the shortest time is measured again. A node or a network that is slower for another reason
 * than these requests is soon the usual one.
 */
const rememberFor = 5_000

interface AdaptiveLimitOptions {
  readonly floor: number
  readonly ceiling: number
  /** Absent: {@link usualSlowness}. */
  readonly maxSlowness?: number
}

/** Answers that are considered together at least: one may be late for any reason. */
const sample = 4

/**
 * Finds how many requests a node handles at once without answering more slowly: additive increase, multiplicative
 * decrease (Chiu and Jain, 1989), on the time of its answers. It doubles until answers first take longer. Requests that
 * cost about the same are compared with each other, so that expensive ones are no sign of load. Such a request takes at
 * most as many times as long as a cheaper one as it costs more, also when it is the first of its kind.
 *
 * @param now - milliseconds, monotonic
 */
export function createAdaptiveLimit(
  { floor, ceiling, maxSlowness = usualSlowness }: AdaptiveLimitOptions,
  now: () => number,
): AdaptiveLimit {
  const least = Math.min(floor, ceiling)
  let limit = least
  let isProbing = true
  /** The shortest time of requests of each size, in this period and in the one before. */
  let times = new Map<number, number>()
  let earlier = new Map<number, number>()
  let since = now()
  /** Requests that ended since the limit was last considered. */
  let ended = 0
  let slowness = 0
  let wasBinding = false

  /** How many times as long as alone a request took. */
  function compare({ cost, elapsed, hasFailed }: EndedRequest): number {
    const age = now() - since
    if (age >= rememberFor) {
      earlier = age < 2 * rememberFor ? times : new Map()
      times = new Map()
      since = now()
    }
    const size = sizeOf(cost)
    if (!hasFailed) times.set(size, Math.min(times.get(size) ?? elapsed, elapsed))
    let shortest = elapsed
    for (const [other, time] of [...earlier, ...times])
      if (other <= size) shortest = Math.min(shortest, time * 2 ** (size - other))
    return elapsed / (shortest + noise)
  }

  return {
    get current() {
      return limit
    },
    ended(request) {
      slowness += compare(request)
      wasBinding ||= request.isBinding
      ended++
      if (ended < Math.max(limit, sample)) return
      if (slowness / ended > maxSlowness) {
        limit = Math.max(least, limit * decrease)
        isProbing = false
      } else if (wasBinding) limit = Math.min(ceiling, isProbing ? 2 * limit : limit + Math.min(1, limit))
      ended = 0
      slowness = 0
      wasBinding = false
    },
  }
}
