/**
 * `pnpm --filter @lanyard/testing measure [script] [rounds]` runs `npm test` (or another test script) several times
 * without turbo's cache, and prints what each package cost in each run, as a table for the README.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { renderCosts } from './render-costs.ts'
import type { WholeRun } from './render-summary.ts'
import { wholeRunFile } from './summary.ts'

const [script = 'test', rounds = '3'] = process.argv.slice(2)
const wholes: WholeRun[] = []
for (let round = 0; round < Number(rounds); round++) {
  const { status } = spawnSync('npm', ['run', script, '--', '--force'], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
  const tiers = { 'test:all': 'fast-rest', 'test:long': 'long' }[script] ?? 'fast'
  wholes.push(JSON.parse(readFileSync(wholeRunFile(tiers), 'utf8'))) // written by main.ts
}
process.stdout.write(`\n${renderCosts(wholes)}`)
