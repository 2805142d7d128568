/** `pnpm promises`: runs the tests of each promise and prints what they showed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Choice, choose } from './choose.ts'
import { keepRun, readKeptRun } from './kept/kept-run.ts'
import { promises } from './promises.ts'
import { judge } from './report/judge.ts'
import { printTable } from './report/print-table.ts'
import { renderPage } from './report/render-page.ts'
import { runPromises } from './run/run-promises.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const choice = choose(promises, process.argv.slice(2))
if (typeof choice === 'string') {
  process.stderr.write(`${choice}\n`)
  process.exitCode = 2
} else {
  if (!choice.page) process.exitCode = (await run(choice)) ? 0 : 1
  if (choice.page || choice.write) {
    writeFileSync(join(root, 'docs', 'promises.md'), renderPage(promises, readKeptRun))
  }
}

/** @returns whether every chosen promise is kept, goals aside */
async function run({ promises: chosen, long, json, write }: Choice): Promise<boolean> {
  // With --json, standard output is JSON alone.
  const onLine = (line: string) => void process.stderr.write(`${line}\n`)
  const outcome = await runPromises(chosen, { root, long, onLine })
  const verdicts = chosen.map((promise) => judge(promise, outcome))
  process.stdout.write(json ? `${JSON.stringify(verdicts, null, 2)}\n` : printTable(verdicts))
  if (write) for (const promise of chosen) keepRun(promise, outcome, long)
  return verdicts.every(({ kept }) => kept === 'yes' || kept === 'goals missed')
}
