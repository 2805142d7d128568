import type { Result } from './report/result.ts'

/** A benchmark. It measures, reports progress, and stops the programs that it started. */
export interface Bench {
  readonly name: string
  run(progress: (line: string) => void, options?: BenchOptions): Promise<Result>
}

export interface BenchOptions {
  /** How long the idle or attacked service is observed. */
  readonly minutes?: number | undefined
  /** The number of operations that a process handles before its heap is measured. */
  readonly operations?: number | undefined
}
