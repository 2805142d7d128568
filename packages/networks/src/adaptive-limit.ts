/** How much of one kind of requests a node gets at once. */
export interface AdaptiveLimit {
  /** The sum of the weights of requests. */
  readonly current: number
  /** A request got its answer. */
  ended(request: EndedRequest): void
}

/** What a request takes of the limit: a small one as much as a usual one. */
export const weightOf = (cost: number): number => Math.max(1, cost)

interface EndedRequest {
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
const tolerated = 2

/** Milliseconds that are no sign of load: of a fast node, or of the clock. */
const noise = 2

/** The next power of two. */
const sizeOf = (cost: number) => Math.ceil(Math.log2(Math.max(cost, 2 ** -10)))

/**
 * The part of the limit that is left when answers take longer. It is less than 1 / {@link tolerated}: the shortest time is
 * then measured with so few requests that the limit does not creep up under a load that lasts.
 */
const decrease = 0.4

/**
 * Milliseconds after which the shortest time is measured again. A node or a network that is slower for another reason
 * than these requests is soon the usual one.
 */
const rememberFor = 5_000

/**
 * Finds how many requests a node handles at once without answering more slowly: additive increase, multiplicative
 * decrease (Chiu and Jain, 1989), on the time of its answers. It doubles until answers first take longer. Requests that
 * cost about the same are compared with each other, so that expensive ones are no sign of load. Such a request takes at
 * most as many times as long as a cheaper one as it costs more, also when it is the first of its kind.
 *
 * @param now - milliseconds, monotonic
 */
export function createAdaptiveLimit(
  { floor, ceiling }: { readonly floor: number; readonly ceiling: number },
  now: () => number,
): AdaptiveLimit {
  const least = Math.min(floor, ceiling)
  let limit = least
  let isProbing = true
  /** The shortest time of requests of each size, in this period and in the one before. */
  let times = new Map<number, number>()
  let earlier = new Map<number, number>()
  let since = now()
  /** Weights of the requests that ended since the limit was last considered. */
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
      const weight = weightOf(request.cost)
      slowness += compare(request) * weight
      wasBinding ||= request.isBinding
      ended += weight
      if (ended < limit) return
      if (slowness / ended > tolerated) {
        limit = Math.max(least, Math.floor(limit * decrease))
        isProbing = false
      } else if (wasBinding) limit = Math.min(ceiling, isProbing ? 2 * limit : limit + 1)
      ended = 0
      slowness = 0
      wasBinding = false
    },
  }
}
