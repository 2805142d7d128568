import type { Result } from './report/result.ts'

/** One benchmark: measures, reports progress, and stops what it started. */
export interface Bench {
  readonly name: string
  run(progress: (line: string) => void, options?: BenchOptions): Promise<Result>
}

export interface BenchOptions {
  /** How long an idle service is watched. */
  readonly minutes?: number | undefined
  /** How many operations a process carries before its heap is measured. */
  readonly operations?: number | undefined
}
