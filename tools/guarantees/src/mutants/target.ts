/** A package, or a part of one, whose code is mutated to see whether its tests notice. */
export interface Target {
  /** The name for `pnpm mutants <name>`. */
  readonly name: string
  /** Relative to the repository's root. */
  readonly folder: string
  /** A short description of what its code decides. */
  readonly decides: string
  /** What is left out of the folder, and why, in a few words. */
  readonly leftOut: string
  /** The mutated files: globs within the folder; `!` excludes. */
  readonly mutate: readonly string[]
  /** The tests to run: globs within the folder. They must be fast, since each mutant runs them again. */
  readonly tests: readonly string[]
  /**
   * Skips code that runs once, when a module is loaded: constants, type strings, tables. Each such mutant
   * reloads everything for all tests, which would take most of the time.
   */
  readonly sparesStatic: boolean
  /** The minimum score in percent: the last one reached, rounded down. */
  readonly floor: number
}
