import type { Result } from './report/result.ts'

/** A benchmark. It measures, reports progress, and stops the programs that it started. */
export interface Bench {
  readonly name: string
  /** @param rows - measures only rows whose names contain one of these texts; a bench may ignore it */
  run(progress: (line: string) => void, rows?: readonly string[]): Promise<Result>
}
