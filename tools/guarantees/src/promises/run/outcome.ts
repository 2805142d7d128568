import type { Figure } from '@lanyard/testing'
import type { Suite } from '../promise.ts'

/**
 * `skipped`: nothing of the file ran, e.g. without PostgreSQL. `missing`: it is in no report, since it was not run. Of
 * either, what it should show is not shown.
 */
export type FileState = 'passed' | 'failed' | 'skipped' | 'missing'

/** What is counted in a file: tests, goals of a bench, or changes of the code that a test should notice. */
type Counted = 'tests' | 'goals' | 'mutants'

/** What one file, or folder, of a suite came to. */
export interface FileOutcome {
  readonly file: string
  readonly counted: Counted
  readonly state: FileState
  readonly passed: number
  readonly failed: number
  /** Tests of a file that could not run, e.g. without PostgreSQL. */
  readonly skipped?: number
  readonly milliseconds: number
}

/** What a run of one package's files came to. */
export interface RunOutcome {
  /** Paths from the root. */
  readonly files: readonly FileOutcome[]
  readonly figures: readonly Figure[]
}

/** The path of a suite's file from the root. */
export const pathOf = (suite: Suite, file: string): string => `${suite.package}/${file}`
