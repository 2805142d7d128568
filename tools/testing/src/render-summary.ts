import type { RunSummary } from './summary.ts'

export interface PackageRun extends RunSummary {
  readonly package: string
  /** Relative to the repository's root. */
  readonly folder: string
  /** turbo had a cached result for the same sources, so nothing ran. */
  readonly isCached: boolean
}

/** A run of all packages. */
export interface WholeRun extends Whole {
  readonly runs: readonly PackageRun[]
}

interface Whole {
  /** Processes that could run, on average over the minute before: on two cores, more than 2 means waiting. */
  readonly loadBefore: number
  readonly seconds: number
  /** Of every process. Undefined where the system does not say. */
  readonly processorSeconds: number | undefined
  readonly seed: string
  /** turbo's exit code. */
  readonly code: number
  /** Packages that failed with something else than a failed test, each with a reason. */
  readonly outsideOfTests: readonly string[]
}

/**
 * The summary of a run for a person: the tests that ran, their engine, the skipped tests with reasons, what was
 * started, the duration and the processor time.
 */
export function renderSummary(
  runs: readonly PackageRun[],
  { seconds, processorSeconds, seed, outsideOfTests }: Omit<Whole, 'loadBefore' | 'code'>,
): string {
  const ran = runs.filter((run) => run.passed + run.failed + total(run.skipped) > 0)
  const rows = ran.map((run) => [
    run.name === 'tests' ? run.package : `${run.package} (${run.name})`,
    String(run.passed),
    String(run.failed),
    String(total(run.skipped)),
    run.isCached ? 'cached' : `${run.seconds.toFixed(1)} s`,
    run.isCached || run.processorSeconds === undefined ? '' : `${run.processorSeconds.toFixed(1)} s`,
  ])
  const engines = sum(runs.map((run) => run.engines))
  const skipped = sum(runs.map((run) => run.skipped))
  const started = sum(runs.filter((run) => !run.isCached).map((run) => run.started))
  const mostExpensive = runs
    .filter((run) => !run.isCached)
    .flatMap((run) => Object.entries(run.files ?? {}).map(([file, spent]) => ({ run, file, spent })))
    .toSorted((a, b) => b.spent - a.spent)
    .slice(0, 10)
  const failed = runs.filter((run) => run.failed > 0).map((run) => run.package)
  const passedCount = runs.reduce((count, run) => count + run.passed, 0)
  const failedCount = runs.reduce((count, run) => count + run.failed, 0)
  return [
    '',
    ...table([['', 'passed', 'failed', 'skipped', 'time', 'processor'], ...rows]),
    '',
    ...Object.entries(engines).map(
      ([engine, count]) => `On ${engineNames[engine] ?? engine}: ${count} tests`,
    ),
    ...(engines.postgresql || !engines.pglite
      ? []
      : ['On PostgreSQL: none. Install it, or set TEST_DATABASE_URL.']),
    ...(Object.keys(started).length > 0
      ? [
          `Started: ${Object.entries(started)
            .toSorted()
            .map(([what, count]) => `${count} ${what}`)
            .join(', ')}`,
        ]
      : []),
    ...(mostExpensive.length > 0
      ? [
          `Most processor time: ${mostExpensive
            .map(({ run, file, spent }) => `${run.package} ${file} ${spent.toFixed(1)} s`)
            .join(', ')}`,
        ]
      : []),
    ...Object.entries(skipped).map(([why, count]) => `Skipped ${count}: ${why}`),
    ...(failed.length > 0
      ? [`Failed: ${failed.join(', ')}. To draw the same random data again: TEST_SEED=${seed}`]
      : []),
    ...runs.flatMap((run) => run.failures.map((failure) => `  ${run.package}: ${failure}`)),
    ...outsideOfTests.map((reason) => `Failed outside of the tests, see above: ${reason}`),
    `Took ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s${
      processorSeconds === undefined ? '' : `, and ${Math.round(processorSeconds)} s of processor time`
    }.`,
    `${passedCount} passed, ${failedCount} failed, ${total(skipped)} skipped`,
    '',
  ].join('\n')
}

const engineNames: Readonly<Record<string, string>> = { pglite: 'PGlite', postgresql: 'PostgreSQL' }

const total = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0)

function sum(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const result: Record<string, number> = {}
  for (const counts of all) {
    for (const [key, count] of Object.entries(counts)) result[key] = (result[key] ?? 0) + count
  }
  return result
}

/** Columns are as wide as their widest cell; numbers are right-aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
