/** A package, or the part of one, whose code is changed on purpose to see whether its tests notice. */
export interface Target {
  /** What `pnpm mutants <name>` takes. */
  readonly name: string
  /** From the repository's root. */
  readonly folder: string
  /** What is mutated: globs within the folder; `!` takes away. */
  readonly mutate: readonly string[]
  /** The tests that may notice: globs within the folder. Fast ones: each mutant runs them anew. */
  readonly tests: readonly string[]
  /** The least score in per cent, a little below what is reached: see `floor` of a run's outcome. */
  readonly floor: number
}
