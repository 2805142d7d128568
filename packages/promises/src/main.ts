/** `pnpm promises`: runs the tests of each promise and prints what they showed. */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { choose } from './choose.ts'
import { promises } from './promises.ts'
import { judge } from './report/judge.ts'
import { printTable } from './report/print-table.ts'
import { writePage } from './report/write-page.ts'
import { runPromises } from './run/run-promises.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const choice = choose(promises, process.argv.slice(2))
if (typeof choice === 'string') {
  process.stderr.write(`${choice}\n`)
  process.exit(2)
}
const { json, long, write } = choice
// With --json, standard output is JSON alone.
const onLine = (line: string) => void process.stderr.write(`${line}\n`)
const outcome = await runPromises(choice.promises, { root, long, onLine })
const verdicts = choice.promises.map((promise) => judge(promise, outcome))
process.stdout.write(json ? `${JSON.stringify(verdicts, null, 2)}\n` : printTable(verdicts))
if (write) {
  const surroundings = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    long,
    processors: availableParallelism(),
  }
  writeFileSync(join(root, 'docs', 'promises.md'), writePage(verdicts, surroundings))
}
process.exitCode = verdicts.every(({ kept }) => kept) ? 0 : 1
