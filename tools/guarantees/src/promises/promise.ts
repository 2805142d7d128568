/** How the tests of a suite run. */
type Runner =
  /** Test files of a package, by vitest. */
  | 'vitest'
  /** Solidity tests, by forge: it says how many calls of which function it made. */
  | 'forge'
  /**
   * What takes long is not run: its last result is read, with its date, from the page that its own command writes
   * (`pnpm mutants`, `pnpm bench`).
   */
  | 'mutants'
  | 'bench'

/** Test files of one package. */
export interface Suite {
  readonly runner: Runner
  /** Its folder, from the root of the repository. */
  readonly package: string
  /** From the package's folder; with `forge`, folders or files; with what is read, a page with an anchor. */
  readonly files: readonly [string, ...string[]]
  /** Figures that must come out of it, by their names in `reportFigure`. More may come. */
  readonly figures?: readonly string[]
  /** Of vitest, where it is not the package's usual one. */
  readonly config?: string
  /** A program of the package that runs before its tests. */
  readonly prepare?: string
}

/** Something that the service promises, and what shows it. */
export interface PromiseOfQuality {
  readonly id: number
  /** A few words. */
  readonly title: string
  /** What is promised, in a sentence. */
  readonly text: string
  /** How fast and how cheap it is meant to be: a goal that is missed is said, and breaks no promise. */
  readonly goals?: boolean
  /** At least one: a promise without a test is not made. */
  readonly suites: readonly [Suite, ...Suite[]]
}
