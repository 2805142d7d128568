import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { processorSeconds } from './processor-seconds.ts'
import type { Started } from './started.ts'
import { summaryFolder } from './summary-folder.ts'
import { tier } from './tier.ts'

/** What the last run of a tier measured: a `WholeRun`. @param tiers `fast`, `rest`, `fast-rest`, `long` */
export const wholeRunFile = (tiers: string): string =>
  fileURLToPath(new URL(`../artifacts/whole-run-${tiers}.json`, import.meta.url))

/** A file with failed tests, or an error that belongs to no file. */
export interface FailedFile {
  /** Relative to the package's folder. */
  readonly file?: string
  /** Runs the file alone, in the package's folder: `vitest run …`. Without one it cannot be repeated. */
  readonly command?: readonly string[]
  /** Environment variables that the command needs. */
  readonly env?: Readonly<Record<string, string>>
  /** The failed tests with their errors, and where their evidence is. */
  readonly output: string
}

/** The results of one run of a package's tests. */
export interface RunSummary {
  /** `tests`, `browser`, `forge`… */
  readonly name: string
  readonly passed: number
  /** Failed tests, and files that could not be loaded. */
  readonly failed: number
  /** One line for each failure: location, name, and the first line of the error. */
  readonly failures: readonly string[]
  /** The same failures by file, with everything that is known of them. */
  readonly failedFiles: readonly FailedFile[]
  /** The number of skipped tests by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** The number of tests in files that opened a database of each engine. */
  readonly engines: Readonly<Record<string, number>>
  readonly started: Readonly<Started>
  /** Processor time of each file. Servers that files share are not in it. */
  readonly files?: Readonly<Record<string, number>>
  readonly seconds: number
  readonly seed?: string
  /** Of all processes of the run. */
  readonly processorSeconds?: number
}

/** Writes a run's summary for the table at the end of `npm test`, when the processes of the run have ended. */
export function writeSummary(summary: RunSummary): void {
  process.once('exit', () => {
    const folder = join(process.cwd(), summaryFolder)
    mkdirSync(folder, { recursive: true })
    const whole = { ...summary, processorSeconds: processorSeconds() }
    writeFileSync(join(folder, `${tier}-${summary.name}.json`), `${JSON.stringify(whole)}\n`)
  })
}
