import type { LoopLag } from './loop-lag.ts'
import { createSlots } from './slots.ts'

/** Milliseconds of event-loop lag above which callers who cost much wait. */
const toleratedLag = 100

/** The part of its allowance that a group may have used without waiting under lag. */
const smallPart = 0.1

/** A call that wants to start. */
interface Candidate {
  /** The part of its allowance that the caller's group has used: 0 to 1. */
  readonly usedPart: () => number
  /** Whether the size of its body makes it expensive. */
  readonly isLarge: boolean
  readonly isGone: () => boolean
}

export interface Admission {
  /**
   * Resolves when the call may start.
   *
   * @returns a function to call when it has ended
   * @throws RATE_LIMITED
   */
  enter(candidate: Candidate): Promise<() => void>
  readonly waiting: number
}

/** Large bodies are processed two at a time: the time between them belongs to everyone else. */
const large = { running: 2, waiting: 256, patience: 10_000 }

/** Under lag, callers who cost much share a few places. */
const costly = { running: 4, waiting: 512, patience: 10_000 }

const open = () => {}

/**
 * Decides who starts now. A call normally starts at once. Large bodies queue, and while the event loop is
 * late, so do the callers whose groups have used much of their allowance. Those who used least go first.
 */
export function createAdmission(lag: Pick<LoopLag, 'read'>): Admission {
  const largeSlots = createSlots(large)
  const costlySlots = createSlots(costly)
  return {
    get waiting() {
      return largeSlots.waiting + costlySlots.waiting
    },
    async enter({ usedPart, isLarge, isGone }) {
      const request = { rank: usedPart, isGone }
      if (isLarge) return largeSlots.take(request)
      if (lag.read() > toleratedLag && usedPart() > smallPart) return costlySlots.take(request)
      return open
    },
  }
}
