import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PromiseOfQuality } from '../promise.ts'
import { pathOf, type RunOutcome } from '../run/outcome.ts'

/** What the last run of one promise's tests came to, and where: promises may be run one at a time, on other days. */
export interface KeptRun extends RunOutcome {
  /** ISO 8601 day. */
  readonly date: string
  readonly node: string
  readonly processors: number
  /** With the long variants. */
  readonly long: boolean
}

const folder = join(import.meta.dirname, '../../../results/promises')
const fileOf = (id: number) => join(folder, `${String(id).padStart(2, '0')}.json`)

/** Keeps of a run what belongs to one promise. */
export function keepRun({ id, suites }: PromiseOfQuality, outcome: RunOutcome, long: boolean): void {
  const own = new Set(suites.flatMap((suite) => suite.files.map((file) => pathOf(suite, file))))
  const run: KeptRun = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    processors: availableParallelism(),
    long,
    files: outcome.files.filter(({ file }) => own.has(file)),
    figures: outcome.figures.filter(({ promise }) => promise === id),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(id), `${JSON.stringify(run, null, 2)}\n`)
}

/** Undefined when the promise has not been run yet. */
export function readKeptRun(id: number): KeptRun | undefined {
  if (!existsSync(fileOf(id))) return undefined
  return JSON.parse(readFileSync(fileOf(id), 'utf8')) as KeptRun // written by keepRun
}
