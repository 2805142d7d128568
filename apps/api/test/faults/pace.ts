/** The durations of each kind of request in milliseconds. */
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

/** The largest factor by which the median duration of a kind of request grew. */
export function greatestSlowdown(before: Pace, now: Pace): number {
  return Math.max(
    0,
    ...[...now].map(([kind, times]) => medianOf(times) / medianOf(before.get(kind) ?? times)),
  )
}
