import { BaseError } from 'viem'

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
