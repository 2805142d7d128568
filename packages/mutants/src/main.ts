/**
 * Changes the code of each target a little at a time, and shows how many of the changes its tests notice. What was
 * tried is remembered: a second run tries what changed since. Ends non-zero where a score is below its floor.
 *
 * `pnpm mutants [target] [--force] [glob …]`: `--force` tries everything again; globs within the target's folder try
 * those files alone, and record nothing.
 */
import { spawnSync } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { reportFigure } from '@lanyard/promises'
import { describeScores } from './describe-scores.ts'
import { scoresOf } from './outcome.ts'
import { readOutcome } from './read-outcome.ts'
import { findTarget, targets } from './targets.ts'
import { writeTable } from './write-table.ts'

const [name, ...rest] = process.argv.slice(2).filter((argument) => argument !== '--')
const isNamed = name !== undefined && !name.startsWith('--')
const chosen = isNamed ? [findTarget(name)] : targets
const options = isNamed ? rest : [name ?? [], rest].flat()

setPriority(10)
const failed = chosen.filter((target) => {
  process.stdout.write(`\n== ${target.name}\n`)
  const program = join(import.meta.dirname, 'run-target.ts')
  return spawnSync(process.execPath, [program, target.name, ...options], { stdio: 'inherit' }).status !== 0
})

if (!options.some((option) => !option.startsWith('--'))) {
  writeTable()
  const outcomes = chosen.flatMap(({ name }) => readOutcome(name) ?? [])
  process.stdout.write(`\n${describeScores(outcomes)}\n`)
  for (const outcome of outcomes) {
    const noticed = outcome.killed + outcome.timedOut
    const made = noticed + outcome.survivors.length + outcome.uncovered.length
    const score = scoresOf(outcome).all.toFixed(1)
    reportFigure(9, `TypeScript mutants killed, ${outcome.target}`, `${noticed} of ${made} (${score} %)`)
  }
}
if (failed.length > 0) {
  process.stdout.write(`Below the floor, or not run: ${failed.map(({ name }) => name).join(', ')}\n`)
  process.exitCode = 1
}
