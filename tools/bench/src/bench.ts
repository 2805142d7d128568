import type { Result } from './report/result.ts'

/** A benchmark. It measures, reports progress, and stops the programs that it started. */
export interface Bench {
  readonly name: string
  run(progress: (line: string) => void): Promise<Result>
}
