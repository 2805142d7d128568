import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { processorSeconds } from './processor-seconds.ts'
import type { Started } from './started.ts'
import { tier } from './tier.ts'

/** The folder of a run's summary, relative to the package's folder. turbo caches it with the run. */
export const summaryFolder = 'artifacts/tests'

/** What the last `npm test`, `npm run test:all` or `npm run test:long` measured: a `WholeRun`. */
export const wholeRunFile = fileURLToPath(new URL('../artifacts/whole-run.json', import.meta.url))

/** The results of one run of a package's tests. */
export interface RunSummary {
  /** `tests`, `browser`, `forge`… */
  readonly name: string
  readonly passed: number
  /** Failed tests, and files that could not be loaded. */
  readonly failed: number
  /** One line for each failure: location, name, and the first line of the error. */
  readonly failures: readonly string[]
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
