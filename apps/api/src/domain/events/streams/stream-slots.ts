import { LanyardError } from '@lanyard/contracts'
import { type Caller, groupOf } from '../../accounts/callers/caller.ts'

/** Maximum number of concurrent streams in one process. */
export interface StreamLimits {
  /** Per address: enough for an office behind one. */
  readonly address: number
  /** Per secret key. */
  readonly key: number
  /** Of all addresses together; the remaining slots are for servers. */
  readonly addresses: number
  readonly all: number
}

export const streamLimits: StreamLimits = { address: 50, key: 100, addresses: 800, all: 1_000 }

interface Slot {
  readonly caller: string
  readonly group: string
  readonly kind: Caller['kind']
  readonly end: () => void
}

/** Seconds after which the caller may try again. */
const retryAfter = 10

/**
 * Decides who may stream. When all slots are taken, a new caller gets a slot of the caller who holds the
 * most, if that caller then still has at least as many as the new one. So nobody can take all slots, however
 * many addresses of one network they have.
 */
export interface StreamSlots {
  /**
   * @param end - ends the stream when another caller gets its slot
   * @returns a function that releases the slot; it may be called again
   * @throws RATE_LIMITED
   */
  take(caller: Caller, end: () => void): () => void
}

export function createStreamSlots(limits: StreamLimits = streamLimits): StreamSlots {
  // In the order in which the slots were taken.
  const taken = new Set<Slot>()
  const count = (matches: (slot: Slot) => boolean) => [...taken].filter(matches).length

  /** Ends the oldest stream of the group that holds the most slots. */
  function evict(newcomer: Omit<Slot, 'end'>, isCandidate: (slot: Slot) => boolean): void {
    const groups = Map.groupBy([...taken].filter(isCandidate), ({ group }) => group)
    const [largest = []] = [...groups.values()].sort((a, b) => b.length - a.length)
    const own = count(({ group }) => group === newcomer.group)
    const [oldest] = largest
    if (!oldest || largest.length <= own + 1) {
      throw reject('All streams are taken. Poll for the state until one is free.')
    }
    taken.delete(oldest)
    oldest.end()
  }

  return {
    take({ kind, name }, end) {
      const slot: Slot = {
        kind,
        caller: `${kind}:${name}`,
        group: `${kind}:${groupOf({ kind, name })}`,
        end,
      }
      if (count(({ caller }) => caller === slot.caller) >= limits[kind]) {
        throw reject(`You may have at most ${limits[kind]} streams at once. Close one first.`)
      }
      const isOfAddress = (other: Slot) => other.kind === 'address'
      if (kind === 'address' && count(isOfAddress) >= limits.addresses) evict(slot, isOfAddress)
      else if (taken.size >= limits.all) evict(slot, () => true)
      taken.add(slot)
      return () => void taken.delete(slot)
    },
  }
}

const reject = (message: string) => new LanyardError('RATE_LIMITED', { message, details: { retryAfter } })
