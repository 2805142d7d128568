/**
 * Changes the code of each target a little at a time, and shows how many of the changes its tests notice. What was
 * tried is remembered: a second run tries what changed since. Ends non-zero where a score is below its floor.
 *
 * `pnpm mutants [target] [--force] [glob …]`: `--force` tries everything again; globs within the target's folder try
 * those files alone, and record nothing. `pnpm mutants --page` writes docs/mutation-testing.md from what is kept.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { reportFigure } from '@lanyard/testing'
import { describeScores } from './describe-scores.ts'
import { keepOutcome } from './keep-outcome.ts'
import { scoresOf } from './outcome.ts'
import { page } from './paths.ts'
import { readOutcome } from './read-outcome.ts'
import { renderPage } from './render-page.ts'
import type { Target } from './target.ts'
import { findTarget, targets } from './targets.ts'

const parameters = process.argv.slice(2).filter((argument) => argument !== '--')
const [name, ...rest] = parameters
const unknown = parameters.find(
  (parameter) => parameter.startsWith('--') && parameter !== '--page' && parameter !== '--force',
)
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is no option. pnpm mutants [target] [--force] [glob …], or --page.\n`)
  process.exitCode = 2
} else if (name === '--page') writePage()
else if (name === undefined || name.startsWith('--')) run(targets, parameters)
else run([findTarget(name)], rest)

function run(chosen: readonly Target[], options: readonly string[]): void {
  setPriority(10)
  const failed = chosen.filter((target) => {
    process.stdout.write(`\n== ${target.name}\n`)
    const program = join(import.meta.dirname, 'run-target.ts')
    return spawnSync(process.execPath, [program, target.name, ...options], { stdio: 'inherit' }).status !== 0
  })
  const isWhole = options.every((option) => option.startsWith('--'))
  if (isWhole) {
    writePage()
    printScores(chosen)
  }
  if (failed.length > 0) {
    process.stdout.write(`Below the floor, or not run: ${failed.map((target) => target.name).join(', ')}\n`)
    process.exitCode = 1
  }
}

/** Also keeps the floors as they are declared now: they are raised after the run that reached them. */
function writePage(): void {
  for (const { name, floor } of targets) {
    const outcome = readOutcome(name)
    if (outcome) keepOutcome({ ...outcome, floor })
  }
  writeFileSync(page, renderPage(targets, keptOf(targets)))
}

function printScores(chosen: readonly Target[]): void {
  const outcomes = keptOf(chosen)
  process.stdout.write(`\n${describeScores(outcomes)}\n`)
  for (const outcome of outcomes) {
    const noticed = outcome.killed + outcome.timedOut
    const made = noticed + outcome.survivors.length + outcome.uncovered.length
    const score = scoresOf(outcome).all.toFixed(1)
    reportFigure(9, `${outcome.target}: mutants noticed by a test`, `${noticed} of ${made} (${score} %)`)
  }
}

function keptOf(chosen: readonly Target[]) {
  return chosen.flatMap((target) => readOutcome(target.name) ?? [])
}
