/** The median. For an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  const lower = sorted[Math.ceil(middle) - 1]
  if (upper === undefined || lower === undefined) throw new TypeError('An empty list has no median')
  return (lower + upper) / 2
}

/** The duration of `work` in milliseconds, and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now()
  const value = await work()
  return { ms: performance.now() - began, value }
}

/** The value that the given percentage does not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.ceil((percent / 100) * sorted.length) - 1]
  if (value === undefined) throw new TypeError('An empty list has no percentile')
  return value
}

/**
 * Measures each side once a round, one after the other, so that what else happens on the machine meets all of them.
 *
 * @param options.rotates - each side begins a round as often as the others. Default: false, so that each rests equally long
 * @returns the results of each side after the warm-up
 */
export async function takeTurns<Side extends string, T>(
  sides: Readonly<Record<Side, (round: number) => Promise<T>>>,
  { rounds, warmUp = 0, rotates = false }: { rounds: number; warmUp?: number; rotates?: boolean },
): Promise<Record<Side, T[]>> {
  const names = Object.keys(sides) as Side[] // its own keys
  const measured = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Side, T[]> // of all names
  for (let round = 0; round < warmUp + rounds; round++) {
    const first = rotates ? round % names.length : 0
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await sides[name](round)
      if (round >= warmUp) measured[name].push(result)
    }
  }
  return measured
}

/** The median of each figure. */
export const medians = <Figure extends string>(
  all: readonly Readonly<Record<Figure, number>>[],
): Record<Figure, number> =>
  Object.fromEntries(
    (Object.keys(all[0] ?? {}) as Figure[]).map((figure) => [figure, median(all.map((one) => one[figure]))]),
  ) as Record<Figure, number> // of its own keys
