/**
 * `pnpm bench [NAME…] [--runs 3]`: runs all benches or the named ones, prints their tables and rewrites docs/benchmarks.md.
 * `--runs 3` measures three times and shows the run in the middle, with the range of all.
 * `victims --rows gas,slow` measures the attacks whose names contain one of these texts, and writes nothing;
 * with `--elsewhere` also while they hit another deployment on the same machine.
 * `race`: compares operations per second with Alto, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { agentBench } from './agent/agent-bench.ts'
import type { Bench, Part } from './bench.ts'
import { buildBench } from './build/build-bench.ts'
import { firstPaymentBench } from './first-payment/first-payment-bench.ts'
import { gasBench } from './gas/gas-bench.ts'
import { inclusionBench } from './inclusion/inclusion-bench.ts'
import { race } from './inclusion/race.ts'
import { marketBench } from './market/market-bench.ts'
import { describeMachine } from './report/machine.ts'
import { middleRun } from './report/middle-run.ts'
import { readSections, renderDocument, renderResult, writeArtifact } from './report/render.ts'
import type { Result } from './report/result.ts'
import { restBench } from './rest/rest-bench.ts'
import { victimsBench } from './victims/victims-bench.ts'

const benches: readonly Bench[] = [
  buildBench,
  inclusionBench,
  marketBench,
  restBench,
  victimsBench,
  agentBench,
  firstPaymentBench,
  gasBench,
]
const document = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url))

const usage = `Usage: pnpm bench [${benches.map(({ name }) => name).join('|')}]… [--runs 1]
   or: pnpm bench victims --rows TEXT[,TEXT]… [--elsewhere] [--runs 1]
   or: pnpm bench race [--rounds 5] [--sizes 1,4,16,32,60] [--pglite]`

const [first, ...more] = process.argv.slice(2)
if (first === 'race') await race(more)
else process.exitCode = await runBenches()

/** @returns the exit code */
async function runBenches(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      runs: { type: 'string', default: '1' },
      rows: { type: 'string' },
      elsewhere: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
  if (values.help || unknown.length > 0) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const part = values.rows ? { rows: values.rows.split(','), elsewhere: values.elsewhere } : undefined
  return measure(chosen, Number(values.runs), part)
}

/** Measures the benches. A failing bench does not stop the others. */
async function measure(chosen: readonly Bench[], runs: number, part?: Part): Promise<number> {
  let failed = 0
  for (const bench of chosen) {
    const machine = describeMachine()
    const began = performance.now()
    const progress = (line: string) =>
      console.log(`[${bench.name} ${((performance.now() - began) / 1000).toFixed(0)} s] ${line}`)
    try {
      const results: [Result, ...Result[]] = [await bench.run(progress, part)]
      while (results.length < runs) results.push(await bench.run(progress, part))
      const result = {
        ...middleRun(results),
        date: new Date().toISOString().slice(0, 10),
        machine,
      }
      const section = renderResult(bench.name, result)
      console.log(`\n${section}\n`)
      if (part) continue // a part of a table replaces none
      writeArtifact(bench.name, result)
      writePage(bench.name, section) // keeps completed results if the run is interrupted
    } catch (error) {
      failed++
      console.error(`The bench ${bench.name} failed; its earlier lines stay.`, error)
    }
  }
  return failed === 0 ? 0 : 1
}

/** Writes the page. A bench that did not run keeps its earlier section and date, and so do sections of tests. */
function writePage(measured: string, section: string): void {
  const kept = readSections(readFileSync(document, 'utf8'))
  const names = new Set([...benches.map(({ name }) => name), ...kept.keys()])
  const sections = [...names].flatMap((name) => (name === measured ? section : (kept.get(name) ?? [])))
  writeFileSync(document, renderDocument(sections))
}
