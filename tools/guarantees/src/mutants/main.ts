/**
 * Makes small changes (mutants) to the code of each target, and shows how many of them its tests notice.
 * Results are stored, so a second run tries only changed code. Exits non-zero if a score is below its floor.
 *
 * `pnpm mutants [target] [--force] [glob …]`: `--force` tries everything again. Globs within the target's
 * folder limit the run to those files and record nothing. `pnpm mutants --page` rewrites
 * docs/mutation-testing.md with its current scores.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { reportFigure } from '@lanyard/testing'
import { type Row, readRows, renderRows, rowOf, scoresOf } from './page-rows.ts'
import { page } from './paths.ts'
import { renderPage } from './render-page.ts'
import type { Target } from './target.ts'
import { findTarget, targets } from './targets.ts'
import { readOutcome } from './write-outcome.ts'

const parameters = process.argv.slice(2).filter((argument) => argument !== '--')
const [name, ...rest] = parameters
const unknown = parameters.find(
  (parameter) => parameter.startsWith('--') && parameter !== '--page' && parameter !== '--force',
)
if (unknown !== undefined) {
  process.stderr.write(
    `${unknown} is not an option. Usage: pnpm mutants [target] [--force] [glob …], or --page.\n`,
  )
  process.exitCode = 2
} else if (name === '--page') writePage([])
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
    writePage(chosen.filter((target) => !failed.includes(target)))
    printScores(chosen)
  }
  if (failed.length > 0) {
    process.stdout.write(`Below the floor, or not run: ${failed.map((target) => target.name).join(', ')}\n`)
    process.exitCode = 1
  }
}

/**
 * Targets that did not run keep their row. The floor is the declared one: it is raised after the run that
 * reached it.
 */
function writePage(run: readonly Target[]): void {
  const kept = readRows(readFileSync(page, 'utf8'))
  const rows = targets.flatMap((target): [string, Row][] => {
    const outcome = run.includes(target) ? readOutcome(target.name) : undefined
    const row = outcome ? rowOf(outcome) : kept.get(target.name)
    return row ? [[target.name, { ...row, floor: target.floor }]] : []
  })
  writeFileSync(page, renderPage(targets, new Map(rows)))
}

function printScores(chosen: readonly Target[]): void {
  const outcomes = chosen.flatMap(({ name }) => readOutcome(name) ?? [])
  const table = renderRows(new Map(outcomes.map((outcome) => [outcome.target, rowOf(outcome)])))
  process.stdout.write(`\n${table.replaceAll(/<a [^>]+><\/a>/g, '')}\n`)
  for (const outcome of outcomes) {
    const row = rowOf(outcome)
    const made = row.noticed + row.survived + row.unreached
    const score = scoresOf(row).all.toFixed(1)
    reportFigure(9, `${outcome.target}: mutants noticed by a test`, `${row.noticed} of ${made} (${score} %)`)
  }
}
