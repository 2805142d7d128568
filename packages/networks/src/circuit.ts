import { BaseError } from 'viem'

/** Thrown without a request: the endpoint failed several times in a row, and its pause is not over. */
export class CircuitOpenError extends BaseError {
  override readonly name = 'CircuitOpenError'
  /**
   * @param cause - why it failed the last time
   */
  constructor(cause: unknown) {
    super('The endpoint failed several times in a row and is paused', {
      ...(cause instanceof Error && { cause }),
    })
  }
}

export interface CircuitChange {
  readonly state: 'open' | 'closed'
  /** Milliseconds until the endpoint is tried again. */
  readonly pause?: number
}

export interface Circuit {
  readonly isOpen: boolean
  /** @throws CircuitOpenError while the circuit is open; else what `use` throws */
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
        if (!probing && !isPauseOver(openedAt)) throw new CircuitOpenError(lastFailure)
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
