/** A write to the database, or a request to a node or a bundler, and on which side of it the process dies. */
export interface CrashPoint {
  /** As CRASH_AT names it: `write:7:before`. */
  readonly name: string
  /** What is written: an SQL text. */
  readonly what: string
}

/** What the service prints under CRASH_AT=count: both sides of each. */
export function readCrashPoints(output: string): readonly CrashPoint[] {
  const lines = [...output.matchAll(/^crash point ((?:write|call):\d+) (.*)$/gm)]
  return lines.flatMap(([, point, what = '']) =>
    ['before', 'after'].map((side) => ({ name: `${point}:${side}`, what })),
  )
}

/** So many of them, evenly spread; another seed begins elsewhere, and over many seeds each has its turn. */
export function spread<T>(points: readonly T[], count: number, seed: number): readonly T[] {
  const stride = points.length / count
  const offset = (seed * 0.6180339887) % 1 // the golden ratio: no two seeds near each other begin at the same place
  return Array.from({ length: count }, (_, index) => points[Math.floor((index + offset) * stride)]).filter(
    (point) => point !== undefined,
  )
}
