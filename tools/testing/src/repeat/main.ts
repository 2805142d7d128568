/**
 * `npm run test:again` repeats, alone and one after the other, the test files that failed in the last `npm test` and
 * `npm run test:all -- --rest`. `.ci/run` calls it last. A file that passes now is *unstable*: the run passes with at
 * most three of these. A file that fails again, or a failure that is no test's, fails the run. The files draw the same
 * random values again. Results are in `artifacts/unstable.json`, evidence of failures in each package's
 * `artifacts/failures` and `artifacts/failures-again`.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { WholeRun } from '../render-summary.ts'
import { wholeRunFile } from '../summary.ts'
import { repeat } from './repeat.ts'
import { findReasonsToFail, planRepetitions, type Repeated, renderRepeated } from './verdict.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const readWhole = (tier: string): WholeRun | undefined =>
  existsSync(wholeRunFile(tier)) ? JSON.parse(readFileSync(wholeRunFile(tier), 'utf8')) : undefined // written by ../main.ts

const wholes = { fast: readWhole('fast'), rest: readWhole('rest') }
const { repetitions, unrepeatable } = planRepetitions(wholes)
const [loadBefore = 0] = loadavg()
const repeated: Repeated[] = []
for (const repetition of repetitions) {
  process.stdout.write(`Repeating ${repetition.package} ${repetition.file}, alone\n`)
  repeated.push(await repeat(root, repetition, (chunk) => process.stdout.write(chunk)))
}

const reasons = findReasonsToFail(repeated, unrepeatable)
const text = renderRepeated(repeated, reasons)
process.stdout.write(`\n${text}`)
const unstable = repeated.filter(({ hasPassed }) => hasPassed).length
const passed = Object.values(wholes)
  .flatMap((whole) => whole?.runs ?? [])
  .reduce((sum, run) => sum + run.passed, 0)
process.stdout.write(
  `${passed} tests passed at once; ${unstable} files unstable; ${repeated.length - unstable} failed twice\n`,
)
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, text)

mkdirSync(join(root, 'artifacts'), { recursive: true })
const machine = { cores: availableParallelism(), loadBefore }
writeFileSync(
  join(root, 'artifacts/unstable.json'),
  `${JSON.stringify({ date: new Date().toISOString(), machine, repeated, reasons }, null, 2)}\n`,
)
process.exitCode = reasons.length === 0 ? 0 : 1
