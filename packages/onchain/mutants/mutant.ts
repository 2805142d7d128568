/** A contract with one guard taken out or weakened, which some test must notice. */
export interface Mutant {
  /** The promise that the guard keeps; `attack N` counts as the protocol's list does. */
  readonly guard: string
  /** Below `contracts/`. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}
