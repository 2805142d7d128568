/** The program that runs the tests of a suite. */
type Runner =
  /** Test files of a package, by vitest. */
  | 'vitest'
  /** Solidity tests, run by forge, which reports how often it called each function. */
  | 'forge'
  /**
   * Slow suites do not run here. Their last result is read, with its date, from the page that their own
   * command writes (`pnpm mutants`, `pnpm bench`).
   */
  | 'mutants'
  | 'bench'

/** Test files of one package. */
export interface Suite {
  readonly runner: Runner
  /** The package's folder, relative to the repository's root. */
  readonly package: string
  /**
   * Relative to the package's folder. With `forge`, folders or files; for results that are read, a page with
   * an anchor.
   */
  readonly files: readonly [string, ...string[]]
  /** Figures that the suite must report, by their names in `reportFigure`. It may report more. */
  readonly figures?: readonly string[]
  /** vitest's configuration file, if it is not the package's default. */
  readonly config?: string
  /** A program of the package that runs before its tests. */
  readonly prepare?: string
}

/** A promise of the service, with the tests that verify it. */
export interface PromiseOfQuality {
  readonly id: number
  /** A few words. */
  readonly title: string
  /** The promise in one sentence. */
  readonly text: string
  /** True for goals of speed and cost: a missed goal is reported, but does not break the promise. */
  readonly goals?: boolean
  /** At least one: every promise has a test. */
  readonly suites: readonly [Suite, ...Suite[]]
}
