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
