import { type Comparison, type Result, ratioOf } from './result.ts'

/**
 * One of several results of a bench: the run in the middle, by its ratios and, without a peer, its own
 * figures. Its comparisons have the range of all runs.
 *
 * @param runs - at least one, with the same comparisons
 */
export function middleRun(runs: readonly [Result, ...Result[]]): Result {
  const ordered = runs.toSorted((a, b) => sizeOf(a) - sizeOf(b))
  const middle = ordered[(ordered.length - 1) >> 1] ?? runs[0]
  if (runs.length === 1) return middle
  return {
    ...middle,
    method: `${middle.method} The figures are those of the middle one of ${runs.length} runs; the range of all runs is in parentheses.`,
    comparisons: middle.comparisons.map((comparison) => {
      const all = runs.flatMap((run) => run.comparisons.filter(({ what }) => what === comparison.what))
      const figures = all.map(measuredOf)
      return { ...comparison, range: [Math.min(...figures), Math.max(...figures)] as const }
    }),
  }
}

/** What a goal would be compared with. */
const measuredOf = (comparison: Comparison) =>
  comparison.peer === undefined ? comparison.ours : ratioOf(comparison)

/** The mean of the logarithms, so that each comparison counts the same whatever its unit. */
function sizeOf({ comparisons }: Result): number {
  const sizes = comparisons.map(measuredOf).filter((size) => size > 0)
  return sizes.reduce((sum, size) => sum + Math.log(size), 0) / Math.max(1, sizes.length)
}
