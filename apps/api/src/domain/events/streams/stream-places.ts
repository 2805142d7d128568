import { LanyardError } from '@lanyard/contracts'
import { type Caller, groupOf } from '../../accounts/callers/caller.ts'

/** Maximum number of concurrent streams in one process. */
export interface StreamLimits {
  /** Per address: enough for an office behind one. */
  readonly address: number
  /** Per secret key. */
  readonly key: number
  /** Of all addresses together; the remaining places are for servers. */
  readonly addresses: number
  readonly all: number
}

export const streamLimits: StreamLimits = { address: 50, key: 100, addresses: 800, all: 1_000 }

interface Place {
  readonly caller: string
  readonly group: string
  readonly kind: Caller['kind']
  readonly end: () => void
}

/** Seconds after which the caller may try again. */
const retryAfter = 10

/**
 * Decides who may stream. When all places are taken, a new caller gets a place of the caller who holds the
 * most, if that caller then still has at least as many as the new one. So nobody can take all places, however
 * many addresses of one network they have.
 */
export interface StreamPlaces {
  /**
   * @param end - ends the stream when another caller gets its place
   * @returns a function that releases the place; it may be called again
   * @throws RATE_LIMITED
   */
  take(caller: Caller, end: () => void): () => void
}

export function createStreamPlaces(limits: StreamLimits = streamLimits): StreamPlaces {
  // In the order in which the places were taken.
  const taken = new Set<Place>()
  const count = (matches: (place: Place) => boolean) => [...taken].filter(matches).length

  /** Ends the oldest stream of the group that holds the most places. */
  function evict(newcomer: Omit<Place, 'end'>, isCandidate: (place: Place) => boolean): void {
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
      const place: Place = {
        kind,
        caller: `${kind}:${name}`,
        group: `${kind}:${groupOf({ kind, name })}`,
        end,
      }
      if (count(({ caller }) => caller === place.caller) >= limits[kind]) {
        throw reject(`You may have at most ${limits[kind]} streams at once. Close one first.`)
      }
      const isOfAddress = (other: Place) => other.kind === 'address'
      if (kind === 'address' && count(isOfAddress) >= limits.addresses) evict(place, isOfAddress)
      else if (taken.size >= limits.all) evict(place, () => true)
      taken.add(place)
      return () => void taken.delete(place)
    },
  }
}

const reject = (message: string) => new LanyardError('RATE_LIMITED', { message, details: { retryAfter } })
