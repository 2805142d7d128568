/** The results of a load run. */
export interface Tally {
  /** Records an answer to the first attempt and its duration. */
  answered(kind: string, status: number, milliseconds: number): void
  /** Records an answer to a request that lost its replica earlier, and the time since its first attempt. */
  answeredLate(milliseconds: number): void
  /** Records something that must not happen. */
  fault(what: string): void
  /** Counts an event for the report, e.g. "retried after a kill, same answer". */
  count(what: string): void
  readonly faults: readonly string[]
  readonly requests: () => number
  readonly counted: (what: string) => number
  /** Durations in milliseconds of requests that no crash interrupted. */
  readonly percentile: (share: number, kind?: string) => number
  readonly kinds: () => readonly string[]
  readonly maxInterrupted: () => number
}

export function createTally(): Tally {
  const durations = new Map<string, number[]>()
  const counts = new Map<string, number>()
  const faults: string[] = []
  let longest = 0
  let late = 0
  const all = (kind?: string) =>
    kind === undefined ? [...durations.values()].flat() : (durations.get(kind) ?? [])
  return {
    answered(kind, status, milliseconds) {
      const before = durations.get(kind)
      if (before) before.push(milliseconds)
      else durations.set(kind, [milliseconds])
      const name = `status ${status}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    answeredLate(milliseconds) {
      late++
      longest = Math.max(longest, milliseconds)
    },
    fault: (what) => void faults.push(what),
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    faults,
    requests: () => all().length + late,
    counted: (what) => counts.get(what) ?? 0,
    percentile(share, kind) {
      const sorted = all(kind).toSorted((a, b) => a - b)
      return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
    },
    kinds: () => [...durations.keys()].toSorted(),
    maxInterrupted: () => Math.round(longest),
  }
}
