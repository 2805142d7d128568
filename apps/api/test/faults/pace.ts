/** How long each kind of request took, milliseconds. */
export type Pace = ReadonlyMap<string, readonly number[]>

export function createPace() {
  const times = new Map<string, number[]>()
  return {
    times,
    note(kind: string, took: number): void {
      times.set(kind, [...(times.get(kind) ?? []), took])
    },
  }
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/**
 * What is slow now, and not because the machine is busy: half of the requests of a kind take ten times as long as they
 * did, and a second longer.
 */
export function slowedDown(before: Pace, now: Pace): string[] {
  return [...now].flatMap(([kind, times]) => {
    const [usual, present] = [medianOf(before.get(kind) ?? []), medianOf(times)]
    const isSlow = present > 10 * usual && present > usual + 1_000
    return isSlow ? [`${kind}: ${Math.round(present)} ms, ${Math.round(usual)} ms before`] : []
  })
}

/** How many times as long as before the kind takes that became slowest. */
export function greatestSlowdown(before: Pace, now: Pace): number {
  return Math.max(
    0,
    ...[...now].map(([kind, times]) => medianOf(times) / medianOf(before.get(kind) ?? times)),
  )
}
