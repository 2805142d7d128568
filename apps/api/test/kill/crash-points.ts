/**
 * A point where the process can die: just before or just after a database write, or a request to a node or a bundler.
 */
export interface CrashPoint {
  /** The value for CRASH_AT, e.g. `write:7:before`. */
  readonly name: string
  /** The SQL text, or the request. */
  readonly what: string
}

/** Parses the output of a service under CRASH_AT=count. Each point has two sides. */
export function readCrashPoints(output: string): readonly CrashPoint[] {
  const lines = [...output.matchAll(/^crash point ((?:write|call):\d+) (.*)$/gm)]
  return lines.flatMap(([, point, what = '']) =>
    ['before', 'after'].map((side) => ({ name: `${point}:${side}`, what })),
  )
}

/** Picks `count` evenly spaced points. The seed shifts the selection, so many seeds together cover every point. */
export function spread<T>(points: readonly T[], count: number, seed: number): readonly T[] {
  const stride = points.length / count
  const offset = (seed * 0.6180339887) % 1 // the golden ratio keeps the offsets of consecutive seeds apart
  return Array.from({ length: count }, (_, index) => points[Math.floor((index + offset) * stride)]).filter(
    (point) => point !== undefined,
  )
}
