import type { Figure } from '@lanyard/testing'
import type { Suite } from '../promise.ts'

/**
 * `skipped`: no test of the file ran, e.g. without PostgreSQL. `missing`: no report contains the file, since
 * it did not run. Both mean that the file verifies nothing.
 */
export type FileState = 'passed' | 'failed' | 'skipped' | 'missing'

/** The unit counted in a file: tests, goals of a bench, or mutants. */
type Counted = 'tests' | 'goals' | 'mutants'

/** The result of one file or folder of a suite. */
export interface FileOutcome {
  readonly file: string
  readonly counted: Counted
  readonly state: FileState
  readonly passed: number
  readonly failed: number
  /** Tests that could not run, e.g. without PostgreSQL. */
  readonly skipped?: number
  readonly milliseconds: number
}

/** The result of a run of one package's files. */
export interface RunOutcome {
  /** Paths relative to the root. */
  readonly files: readonly FileOutcome[]
  readonly figures: readonly Figure[]
}

/** The path of a suite's file relative to the root. */
export const pathOf = (suite: Suite, file: string): string => `${suite.package}/${file}`
