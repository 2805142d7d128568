/** A package, or the part of one, whose code is changed on purpose to see whether its tests notice. */
export interface Target {
  /** What `pnpm mutants <name>` takes. */
  readonly name: string
  /** From the repository's root. */
  readonly folder: string
  /** A short description of what it decides. */
  readonly decides: string
  /** What of the folder is left out, and why, in a few words. */
  readonly leftOut: string
  /** What is mutated: globs within the folder; `!` excludes. */
  readonly mutate: readonly string[]
  /** The tests that may notice: globs within the folder. Fast ones: each mutant runs them again. */
  readonly tests: readonly string[]
  /**
   * Skips code that runs once, while a module is loaded: constants, type strings, tables. Each such mutant reloads
   * everything for all tests, which takes most of the time.
   */
  readonly sparesStatic: boolean
  /** The minimum score in per cent: the last one reached, rounded down. */
  readonly floor: number
}
