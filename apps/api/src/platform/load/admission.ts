import type { LoopLag } from './loop-lag.ts'
import { createSlots, type Slot, type Slots, type Usage } from './slots.ts'

/** Milliseconds of event-loop lag above which callers who cost much wait. */
const toleratedLag = 100

/** Milliseconds of lag up to which the event loop has time for more calls of a group than its pace permits. */
const idleLag = 50

/** The part of its allowance that a group may have used without waiting under lag. */
const smallPart = 0.1

/** How fast the calls of one group may follow each other, in milliseconds of one processor. */
interface Pace {
  /** What runs at once, and what may be used at once. */
  readonly size: number
  /** What is refilled in a millisecond. */
  readonly refill: number
}

/** What groups used and is not refilled yet, in milliseconds of one processor; replicas may share it. */
interface PaceUsages {
  of(group: { readonly name: string; readonly allowance: Pace }): Usage
}

/** A call that wants to start. */
interface Candidate {
  /** Callers that one party can easily control: they share a pace. */
  readonly group: { readonly name: string; readonly pace: Pace }
  /** Milliseconds of one processor that it takes at least. */
  readonly deposit: number
  /** Milliseconds that it takes of the pace of a group until calls that may cost as much were cheaper. */
  readonly unknownCost: number
  /** The part of its allowance that the caller's group has used at `now`: 0 to 1. */
  readonly usedPart: (now: number) => number
  /** Whether it may simulate for a caller of whom no cheap simulation is known. */
  readonly isUnproven: () => boolean
  /** Whether the size of its body makes it expensive. */
  readonly isLarge: boolean
  readonly isGone: () => boolean
}

export interface Admission {
  /**
   * Resolves when the call may start.
   *
   * @returns its slot; what it used, in milliseconds of one processor, delays the next calls of its group
   * @throws RATE_LIMITED
   */
  enter(candidate: Candidate): Promise<Slot>
  readonly waiting: number
}

/**
 * Milliseconds that a call waits at most. On a slow machine an office behind one address, whose people all pay at once,
 * waits for ten seconds. The balancers of deploy/nginx wait for longer; whoever gave up earlier is not started.
 */
const waitTimeout = 20_000

/** A call that runs for longer than this waits for a network or a database, and costs nobody anything meanwhile. */
const maxDuration = 1_000

/** Large bodies are processed two at a time: the time between them belongs to everyone else. */
const large = { size: 2, waiting: 256, maxDuration, waitTimeout }

/**
 * Large bodies that may be in memory at once, whatever their calls wait for: of all networks of addresses together, about
 * 100 MB.
 */
const held = { size: 128, waiting: 256, waitTimeout }

/**
 * While another group has calls, simulations of callers who are not known for cheap ones share a few slots. So do, under lag,
 * callers who have used much. No more of them start than nodes answer, or nearly: what starts and waits for a node has taken
 * statements and memory, and ends in a time-out.
 */
const costly = { size: 4, waiting: 512, maxDuration, waitTimeout }

interface Group {
  readonly slots: Slots
  /** Milliseconds of one processor that a call is expected to take, by its `unknownCost`: a cheap read says nothing about a build. */
  readonly expected: Map<number, number>
}

/** Number of groups from which on idle ones are forgotten. */
const forgetFrom = 1_024

/**
 * Decides who starts now. The calls of one group follow each other at its pace, so that others wait for a few
 * of them at most: as many run at once as their last costs allow, and a group begins slowly. A call lowers what the next
 * one is expected to cost by no more than it used itself: one cheap call says nothing about the next. What a
 * call costs is known only afterwards, such as the gas that a node simulates for it. Large bodies queue, and while the
 * event loop is late, so do the callers whose groups have used much of their allowance. Those who used least go first.
 *
 * @param usages - what the groups used
 * @param clock - milliseconds, monotonic
 */
export function createAdmission(
  lag: Pick<LoopLag, 'read'>,
  usages: PaceUsages,
  clock = () => performance.now(),
): Admission {
  const groups = new Map<string, Group>()
  const largeSlots = createSlots(large, clock)
  const heldSlots = createSlots(held, clock)
  const costlySlots = createSlots(costly, clock)
  let forgetAt = forgetFrom
  /** Groups of which something may run or wait. */
  const busy = new Set<Group>()

  function groupOf({ name, pace }: Candidate['group']): Group {
    const known = groups.get(name)
    if (known) return known
    if (groups.size >= forgetAt) {
      for (const [other, { slots }] of groups) if (slots.isIdle) groups.delete(other)
      forgetAt = Math.max(forgetFrom, 2 * groups.size)
    }
    const isBinding = () => isContended(group) || lag.read() > idleLag
    // As many may wait as there is pace for in a second, so more calls of a server than of one address.
    const usage = usages.of({ name: `pace:${name}`, allowance: pace })
    const slots = createSlots(
      {
        size: pace.size,
        usage: { ...usage, isBinding },
        waiting: Math.ceil(pace.refill * 1_000),
        maxDuration,
        waitTimeout,
      },
      clock,
    )
    const group: Group = { slots, expected: new Map() }
    groups.set(name, group)
    return group
  }

  /** A pace protects others: without any that run or wait, and with time left, it would only leave the service idle. */
  function isContended(group: Group): boolean {
    for (const other of busy) {
      if (other === group) continue
      if (other.slots.isBusy) return true
      busy.delete(other)
    }
    return false
  }

  /** The slot besides the one in the group, if the call needs one. */
  async function enterCommon(
    { usedPart, isUnproven, isLarge, isGone }: Candidate,
    group: Group,
  ): Promise<Slot | undefined> {
    const request = { rank: usedPart, isGone, size: () => 1 }
    if (!isLarge) {
      const hasUsedMuch = lag.read() > toleratedLag && usedPart(clock()) > smallPart
      const isCostly = hasUsedMuch || (isUnproven() && isContended(group))
      return isCostly ? costlySlots.take(request) : undefined
    }
    const slot = await largeSlots.take(request)
    try {
      const body = await heldSlots.take(request)
      return {
        end() {
          body.end()
          slot.end()
        },
        pause: () => slot.pause(),
      }
    } catch (error) {
      slot.end()
      throw error
    }
  }

  return {
    get waiting() {
      const slots = [largeSlots, heldSlots, costlySlots, ...[...groups.values()].map((group) => group.slots)]
      return slots.reduce((sum, { waiting }) => sum + waiting, 0)
    },
    async enter(candidate) {
      const { usedPart, isGone, deposit, unknownCost } = candidate
      const group = groupOf(candidate.group)
      busy.add(group)
      const expected = () => group.expected.get(unknownCost) ?? unknownCost
      const size = () => Math.max(deposit, expected())
      const own = await group.slots.take({ rank: usedPart, isGone, size })
      try {
        const common = await enterCommon(candidate, group)
        return {
          end(used) {
            if (used !== undefined) group.expected.set(unknownCost, Math.max(used, expected() - used))
            own.end(used)
            common?.end()
          },
          pause() {
            const resumes = [own.pause(), common?.pause()]
            return () => {
              for (const resume of resumes) resume?.()
            }
          },
        }
      } catch (error) {
        own.end()
        throw error
      }
    },
  }
}
