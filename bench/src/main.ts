/**
 * `pnpm bench [NAME…]`: runs all benches or those named, prints their tables and rewrites docs/benchmarks.md.
 * `gas --check`: compares with gas.snapshot.json, writes nothing, and fails on a rise.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { buildBench } from './build/build-bench.ts'
import { checkGas } from './gas/check-gas.ts'
import { gasBench } from './gas/gas-bench.ts'
import { inclusionBench } from './inclusion/inclusion-bench.ts'
import { describeMachine } from './report/machine.ts'
import { renderDocument, renderResult } from './report/render.ts'
import { loadResult, saveResult } from './report/results-file.ts'
import { restBench } from './rest/rest-bench.ts'

const benches: readonly Bench[] = [gasBench, buildBench, inclusionBench, restBench]
const document = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
})
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0 || (values.check && positionals.join() !== 'gas')) {
  console.error(
    `Usage: pnpm bench [${benches.map(({ name }) => name).join('|')}]… or: pnpm bench gas --check`,
  )
  process.exitCode = 1
} else if (values.check) {
  process.exitCode = (await checkGas()) ? 0 : 1
} else {
  await measure(benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))
}

async function measure(chosen: readonly Bench[]): Promise<void> {
  for (const bench of chosen) {
    const machine = describeMachine()
    const began = performance.now()
    const progress = (line: string) =>
      console.log(`[${bench.name} ${((performance.now() - began) / 1000).toFixed(0)} s] ${line}`)
    const result = { ...(await bench.run(progress)), date: new Date().toISOString().slice(0, 10), machine }
    saveResult(bench.name, result)
    console.log(`\n${renderResult(result)}\n`)
  }
  const results = benches.flatMap(({ name }) => loadResult(name) ?? [])
  writeFileSync(document, renderDocument(results))
}
