import { BaseError } from 'viem'

/** Thrown without asking: the endpoint failed several times in a row, and its pause is not over. */
export class CircuitOpenError extends BaseError {
  override readonly name = 'CircuitOpenError'
  constructor() {
    super('The endpoint failed several times in a row and is left alone for a moment')
  }
}

export interface CircuitChange {
  readonly state: 'open' | 'closed'
  /** Until the endpoint is tried again, milliseconds. */
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
  /** Finds out in short, bounded time whether the endpoint is back; rejects when it is not. */
  readonly probe: () => Promise<unknown>
  /** Whether an error means that nothing of use answered. Any other one is an answer. */
  readonly isFailure: (error: unknown) => boolean
  readonly changed: (change: CircuitChange) => void
}

/** One round trip that fails is an accident, two may be; a batch of requests that fails together counts once. */
const maxFailures = 3

const initialBackoff = 1_000
const maxBackoff = 30_000

/**
 * Keeps callers from waiting for an endpoint that is dead: after some failures in a row it is not asked any more, for a
 * second at first and up to thirty. Then a probe decides, for which those wait who ask at that moment. Whatever is
 * answered to anyone closes the circuit.
 *
 * Published breakers let real requests probe, each with its full time-out, go by the system's clock, and count the
 * requests of a batch one by one.
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
  /** A clock that was set back must not prolong a pause. */
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
        if (!probing && !isPauseOver(openedAt)) throw new CircuitOpenError()
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
