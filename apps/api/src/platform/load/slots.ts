import { clearTimeout, setTimeout } from 'node:timers'
import { LanyardError } from '@lanyard/contracts'

interface Waiting {
  /** The lower, the sooner. */
  readonly rank: () => number
  readonly isGone: () => boolean
  readonly start: () => void
  readonly refuse: () => void
}

export interface SlotLimits {
  /** Maximum number that run at once. */
  readonly running: number
  /** Maximum number that wait. */
  readonly waiting: number
  /** Milliseconds that one waits at most. */
  readonly patience: number
}

/** Seconds after which a rejected caller may try again. */
const retryAfter = 5

/** Places for work that must not all run at once. Who has the lowest rank gets the next free place. */
export interface Slots {
  /**
   * @param request - `rank` is read whenever a place is free; work whose caller `isGone` is not started
   * @returns a function that frees the place; it may be called again
   * @throws RATE_LIMITED when no place is free in time
   */
  take(request: Pick<Waiting, 'rank' | 'isGone'>): Promise<() => void>
  readonly waiting: number
}

export function createSlots(limits: SlotLimits): Slots {
  const queue = new Set<Waiting>()
  let running = 0

  const byRank = () => [...queue].sort((a, b) => a.rank() - b.rank())

  function startNext(): void {
    for (const next of running < limits.running ? byRank() : []) {
      if (running >= limits.running) return
      queue.delete(next)
      if (next.isGone()) next.refuse()
      else next.start()
    }
  }

  function occupy(): () => void {
    running++
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      running--
      startNext()
    }
  }

  return {
    get waiting() {
      return queue.size
    },
    async take({ rank, isGone }) {
      if (running < limits.running) return occupy()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const end = () => {
        queue.delete(waiting)
        clearTimeout(timer)
      }
      const waiting: Waiting = {
        rank,
        isGone,
        start() {
          end()
          resolve(occupy())
        },
        refuse() {
          end()
          reject(busy())
        },
      }
      const timer = setTimeout(waiting.refuse, limits.patience)
      queue.add(waiting)
      if (queue.size > limits.waiting) byRank().at(-1)?.refuse()
      return promise
    },
  }
}

const busy = () =>
  new LanyardError('RATE_LIMITED', {
    message: 'The service is busy, and your network uses most of it. Try again later.',
    details: { retryAfter },
  })
