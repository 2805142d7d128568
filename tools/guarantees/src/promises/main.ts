/** `pnpm promises`: runs the tests of each promise and prints the results. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Choice, choose } from './choose.ts'
import { promises } from './promises.ts'
import { judge } from './report/judge.ts'
import { printTable } from './report/print-table.ts'
import { type PageUpdate, renderPage } from './report/render-page.ts'
import { runPromises } from './run/run-promises.ts'
import { writeArtifact } from './write-artifact.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const page = join(root, 'docs', 'promises.md')
const benchmarks = join(root, 'docs', 'benchmarks.md')

const choice = choose(promises, process.argv.slice(2))
if (typeof choice === 'string') {
  process.stderr.write(`${choice}\n`)
  process.exitCode = 2
} else if (choice.page) writePage()
else process.exitCode = (await run(choice)) ? 0 : 1

/** @returns whether every chosen promise is kept, ignoring goals */
async function run({ promises: chosen, long, json, write }: Choice): Promise<boolean> {
  // With --json, standard output contains only JSON.
  const onLine = (line: string) => void process.stderr.write(`${line}\n`)
  const outcome = await runPromises(chosen, { root, long, onLine })
  const verdicts = chosen.map((promise) => judge(promise, outcome))
  process.stdout.write(json ? `${JSON.stringify(verdicts, null, 2)}\n` : printTable(verdicts))
  const date = new Date().toISOString().slice(0, 10)
  for (const verdict of verdicts) writeArtifact(root, verdict, { date, long })
  if (write) writePage({ promises: chosen, outcome, date, long })
  return verdicts.every(({ kept }) => kept === 'yes' || kept === 'goals missed')
}

/** Writes the page. Promises that did not run keep their result on the page. */
function writePage(update?: PageUpdate): void {
  writeFileSync(
    page,
    renderPage(promises, readFileSync(page, 'utf8'), readFileSync(benchmarks, 'utf8'), update),
  )
}
