import type { Result } from './report/result.ts'

/** One bench: measures, says on the way what it does, and ends whatever it started. */
export interface Bench {
  readonly name: string
  run(progress: (line: string) => void): Promise<Result>
}
