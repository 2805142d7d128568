import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { tier } from './tier.ts'

/** Where each run of a package leaves its summary, from the package's folder. turbo keeps it with the run. */
export const summaryFolder = 'artifacts/tests'

/** What one run of a package's tests came to. */
export interface RunSummary {
  /** `tests`, `browser`, `forge`… */
  readonly name: string
  readonly passed: number
  /** Tests, and files that could not be loaded. */
  readonly failed: number
  /** One line for each of them: where it is, its name, and the first line of what went wrong. */
  readonly failures: readonly string[]
  /** How many tests were skipped, by why. */
  readonly skipped: Readonly<Record<string, number>>
  /** How many tests ran in files that opened a database of each engine. */
  readonly engines: Readonly<Record<string, number>>
  readonly seconds: number
  readonly seed?: string
}

/** Writes a run's summary for the table at the end of `npm test`. */
export function writeSummary(summary: RunSummary): void {
  const folder = join(process.cwd(), summaryFolder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${tier}-${summary.name}.json`), `${JSON.stringify(summary)}\n`)
}
