import { clearTimeout, setTimeout } from 'node:timers'
import { LanyardError } from '@lanyard/contracts'

interface Waiting {
  /** The lower at `now`, the sooner. */
  readonly rank: (now: number) => number
  readonly isGone: () => boolean
  readonly size: () => number
  readonly start: () => void
  readonly refuse: () => void
}

/** What work used and is not refilled yet. */
export interface Usage {
  read(): number
  add(used: number): void
  /** How much is refilled in a millisecond. */
  readonly refill: number
}

/**
 * A usage that counts only while it matters to others. Work that ends meanwhile adds to it. Otherwise the size does not bind
 * either: one after the other may start, as long as nobody notices.
 */
interface BindingUsage extends Usage {
  readonly isBinding: () => boolean
}

export interface SlotLimits {
  /** Everything that runs at once, with the usage. */
  readonly size: number
  /** Absent: work leaves no usage. */
  readonly usage?: BindingUsage
  /** Milliseconds after which work that still runs takes no slot any more: it waits for somebody else. */
  readonly maxDuration?: number
  /** Maximum number that wait. */
  readonly waiting: number
  /** Milliseconds that one waits at most. */
  readonly waitTimeout: number
}

/** Milliseconds between two looks at whether a usage still binds. */
const bindingInterval = 50

/** Milliseconds between two starts beyond the size, so that what the first one does shows before the next. */
const idleInterval = 10

/** Seconds after which a rejected caller may try again. */
const retryAfter = 5

export interface Slot {
  /** Frees the slot; may be called again. @param used - what the work used, in the unit of the sizes */
  end(used?: number): void
  /** Frees the slot until the returned function takes it again, without waiting. */
  pause(): () => void
}

interface Request extends Pick<Waiting, 'rank' | 'isGone'> {
  /** The part of all slots that the work takes while it runs, as known when it starts. */
  readonly size: () => number
}

/** Slots for work that must not all run at once. Who has the lowest rank gets the next free slot. */
export interface Slots {
  /**
   * @param request - `rank` and `size` are read whenever a slot is free; work whose caller `isGone` is not started. Work
   * larger than half of all slots starts when half of them are free.
   * @throws RATE_LIMITED when no slot is free in time
   */
  take(request: Request): Promise<Slot>
  readonly waiting: number
  /** Nothing runs, waits, or is used. */
  readonly isIdle: boolean
  /** Something runs or waits. */
  readonly isBusy: boolean
}

/** @param clock - milliseconds, monotonic */
export function createSlots(limits: SlotLimits, clock = () => performance.now()): Slots {
  const { size: total, usage, maxDuration = Number.POSITIVE_INFINITY } = limits
  const queue = new Set<Waiting>()
  /** Sizes of what runs, in the order in which it started. */
  const running = new Map<object, { readonly size: number; readonly since: number }>()
  let held = 0
  let lastStart = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function advance(): number {
    const now = clock()
    for (const [key, { since }] of running) {
      if (now - since < maxDuration) break
      free(key)
    }
    return now
  }

  function free(key: object): void {
    held -= running.get(key)?.size ?? 0
    running.delete(key)
  }

  const used = () => (usage?.isBinding() ? usage.read() : 0)
  const isIdle = () => usage !== undefined && !usage.isBinding()
  /** What has to be free before work of this size starts: 0 or less for nothing. */
  function missingFor(size: number): number {
    const missing = used() + held + Math.min(size, total / 2) - total
    return missing > 0 && isIdle() && clock() - lastStart >= idleInterval ? 0 : missing
  }

  /**
   * Of what waits, the first with the lowest rank; with -1, the last with the highest. Ranks change, so none is kept.
   * All are of one moment: they fall as time passes, so of equals the last one read would be the lowest.
   */
  function find(order: 1 | -1): Waiting | undefined {
    const now = clock()
    let [found, best] = [undefined as Waiting | undefined, Number.POSITIVE_INFINITY]
    for (const one of queue) {
      const rank = order * one.rank(now)
      if (order === 1 ? rank < best : rank <= best) [found, best] = [one, rank]
    }
    return found
  }

  function startNext(): void {
    clearTimeout(timer)
    const now = advance()
    for (let next = find(1); next; next = find(1)) {
      const missing = missingFor(next.size())
      if (missing > 0) {
        startLater(now, missing)
        return
      }
      queue.delete(next)
      if (next.isGone()) next.refuse()
      else next.start()
    }
  }

  /** Nothing else may call when what was used is refilled or does not matter any more, or when work has run for long. */
  function startLater(now: number, missing: number): void {
    const [oldest] = running.values()
    const until = Math.min(
      isIdle() ? Math.max(0, lastStart + idleInterval - now) : Number.POSITIVE_INFINITY,
      usage && used() > 0
        ? Math.min(missing / usage.refill, used() / usage.refill, bindingInterval)
        : Number.POSITIVE_INFINITY,
      oldest ? oldest.since + maxDuration - now : Number.POSITIVE_INFINITY,
    )
    if (Number.isFinite(until)) timer = setTimeout(startNext, Math.max(1, Math.ceil(until))).unref()
  }

  function occupy(size: number): Slot {
    const key = {}
    let isEnded = false
    const begin = () => {
      if (isEnded || running.has(key)) return
      running.set(key, { size, since: advance() })
      held += size
    }
    begin()
    lastStart = clock()
    return {
      end(more = 0) {
        if (isEnded) return
        isEnded = true
        advance()
        if (usage?.isBinding()) usage.add(more)
        free(key)
        startNext()
      },
      pause() {
        if (!running.has(key)) return () => {}
        free(key)
        startNext()
        return begin
      },
    }
  }

  return {
    get waiting() {
      return queue.size
    },
    get isIdle() {
      advance()
      return queue.size === 0 && running.size === 0 && (usage?.read() ?? 0) === 0
    },
    get isBusy() {
      advance()
      return queue.size > 0 || running.size > 0
    },
    async take({ rank, isGone, size }) {
      advance()
      if (queue.size === 0 && missingFor(size()) <= 0) return occupy(size())
      const { promise, resolve, reject } = Promise.withResolvers<Slot>()
      const end = () => {
        queue.delete(waiting)
        clearTimeout(waitTimer)
      }
      const waiting: Waiting = {
        rank,
        isGone,
        size,
        start() {
          end()
          resolve(occupy(size()))
        },
        refuse() {
          end()
          reject(busy())
        },
      }
      const waitTimer = setTimeout(waiting.refuse, limits.waitTimeout)
      queue.add(waiting)
      if (queue.size > limits.waiting) find(-1)?.refuse()
      startNext()
      return promise
    },
  }
}

const busy = () =>
  new LanyardError('RATE_LIMITED', {
    message: 'The service is busy, and your network uses most of it. Try again later.',
    details: { retryAfter },
  })
