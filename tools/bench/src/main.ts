/**
 * `pnpm bench [NAME…]`: runs all benches or the named ones, prints their tables, rewrites docs/benchmarks.md
 * and draws its pictures.
 * `idle --minutes 10`: observes an idle service for that long.
 * `victims --minutes 10`: observes memory and disk during an attack for that long.
 * `growth --operations 100000`: measures the heap after that many operations.
 * `profiles`: draws docs/flame-graphs.
 * `--runs 3`: measures three times and shows the run in the middle, with the range of all.
 * `gas --check`: compares with gas.snapshot.json, writes nothing, and fails on an increase.
 * `race`: compares operations per second with Alto, and writes nothing.
 * `scaling`: prints the figures of docs/scaling.md, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bench, BenchOptions } from './bench.ts'
import { buildBench } from './build/build-bench.ts'
import { contractsBench } from './contracts/contracts-bench.ts'
import { countsBench } from './counts/counts-bench.ts'
import { checkGas } from './gas/check-gas.ts'
import { gasBench } from './gas/gas-bench.ts'
import { growthBench } from './growth/growth-bench.ts'
import { hostileBench } from './hostile/hostile-bench.ts'
import { idleBench } from './idle/idle-bench.ts'
import { inclusionBench } from './inclusion/inclusion-bench.ts'
import { race } from './inclusion/race.ts'
import { marketBench } from './market/market-bench.ts'
import { ordersBench } from './orders/orders-bench.ts'
import { writePictures } from './pictures/write-pictures.ts'
import { policiesBench } from './policies/policies-bench.ts'
import { drawnProfiles, drawProfiles } from './profiles/profiles.ts'
import { describeMachine } from './report/machine.ts'
import { middleRun } from './report/middle-run.ts'
import { readSections, renderDocument, renderResult } from './report/render.ts'
import type { Result } from './report/result.ts'
import { writeArtifact } from './report/results-file.ts'
import { restBench } from './rest/rest-bench.ts'
import { measureScaling } from './scaling/scaling.ts'
import { searchBench } from './search/search-bench.ts'
import { startupBench } from './startup/startup-bench.ts'
import { victimsBench } from './victims/victims-bench.ts'

const benches: readonly Bench[] = [
  startupBench,
  buildBench,
  inclusionBench,
  marketBench,
  restBench,
  searchBench,
  ordersBench,
  gasBench,
  contractsBench,
  hostileBench,
  victimsBench,
  policiesBench,
  idleBench,
  countsBench,
  growthBench,
]
const document = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url))

const usage = `Usage: pnpm bench [${benches.map(({ name }) => name).join('|')}]… [--runs 1]
   or: pnpm bench idle [--minutes 1]
   or: pnpm bench victims [--minutes 1]
   or: pnpm bench growth [--operations 5000]
   or: pnpm bench profiles
   or: pnpm bench gas --check
   or: pnpm bench race [--rounds 5] [--sizes 1,4,16,32,60] [--pglite]
   or: pnpm bench scaling [--rows 20000] [--operations 10]`

const [first, ...more] = process.argv.slice(2)
if (first === 'race') await race(more)
else process.exitCode = first === 'scaling' ? Number(!(await measureScaling(more))) : await runBenches()

/** @returns the exit code */
async function runBenches(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      operations: { type: 'string' },
      runs: { type: 'string', default: '1' },
    },
  })
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (positionals.join() === 'profiles') {
    await drawProfiles((line) => console.log(line))
    writePage()
    return 0
  }
  if (unknown.length > 0 || (values.check && positionals.join() !== 'gas')) {
    console.error(usage)
    return 1
  }
  if (values.check) return Number(!(await checkGas()))
  const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const options = { minutes: numberOf(values.minutes), operations: numberOf(values.operations) }
  return measure(chosen, options, Number(values.runs))
}

/** Measures the benches. A failing bench does not stop the others. */
async function measure(chosen: readonly Bench[], options: BenchOptions, runs: number): Promise<number> {
  let failed = 0
  for (const bench of chosen) {
    const machine = describeMachine()
    const began = performance.now()
    const progress = (line: string) =>
      console.log(`[${bench.name} ${((performance.now() - began) / 1000).toFixed(0)} s] ${line}`)
    try {
      const results: [Result, ...Result[]] = [await bench.run(progress, options)]
      while (results.length < runs) results.push(await bench.run(progress, options))
      const result = {
        ...middleRun(results),
        date: new Date().toISOString().slice(0, 10),
        machine,
      }
      writeArtifact(bench.name, result)
      writePictures(result.charts ?? [])
      const section = renderResult(bench.name, result)
      console.log(`\n${section}\n`)
      writePage(new Map([[bench.name, section]])) // keeps completed results if the run is interrupted
    } catch (error) {
      failed++
      console.error(`The bench ${bench.name} failed; its earlier lines stay.`, error)
    }
  }
  return failed === 0 ? 0 : 1
}

/** Writes the page. A bench that did not run keeps its earlier section and date. */
function writePage(measured: ReadonlyMap<string, string> = new Map()): void {
  const kept = readSections(readFileSync(document, 'utf8'))
  const sections = benches.flatMap(({ name }) => measured.get(name) ?? kept.get(name) ?? [])
  writeFileSync(document, renderDocument(sections, drawnProfiles()))
}
