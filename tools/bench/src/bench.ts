import type { Result } from './report/result.ts'

/** What is measured of a bench. */
export interface Part {
  /** Only rows whose names contain one of these texts. */
  readonly rows: readonly string[]
  /** Measures also the same attacks on another deployment on the same machine. */
  readonly elsewhere: boolean
}

/** A benchmark. It measures, reports progress, and stops the programs that it started. */
export interface Bench {
  readonly name: string
  /** @param part - a bench may ignore it */
  run(progress: (line: string) => void, part?: Part): Promise<Result>
}
