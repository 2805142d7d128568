/**
 * Coverage of our contracts by line, statement, branch and function: runs all forge tests on code compiled
 * without the optimizer, and prints a table of the files in scope and their uncovered lines.
 *
 * `node scripts/coverage.ts [--least 99]`
 *
 * Tests of gas are left out, because this code costs more; so are the campaigns, which reach nothing that the unit tests do not.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { forgeBinary } from './forge-binary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const report = join(mkdtempSync(join(tmpdir(), 'coverage-')), 'lcov.info')
const { values: options } = parseArgs({ options: { least: { type: 'string', default: '99' } } })

const { status } = spawnSync(
  forgeBinary(),
  [
    'coverage',
    '--report',
    'lcov',
    '--report-file',
    report,
    '--no-match-contract',
    'Gas|Invariant|Probe|FailWithoutARecord|DeployerTest|OperationSimulator|DevToken',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FOUNDRY_FUZZ_RUNS: '16', FOUNDRY_CODE_SIZE_LIMIT: '100000' },
  },
)
if (status !== 0) throw new Error('forge coverage failed')

interface Count {
  hit: number
  found: number
}
const kinds = { LF: 'lines', BRF: 'branches', FNF: 'functions' } as const
const totals = Object.fromEntries(
  Object.values(kinds).map((kind): [string, Count] => [kind, { hit: 0, found: 0 }]),
)
const rows: string[] = []
for (const record of readFileSync(report, 'utf8').split('end_of_record')) {
  const file = /^SF:(.*)$/m.exec(record)?.[1]
  if (!file || /contracts\/(test\/|DevToken|OperationSimulator)/.test(file)) continue
  const countOf = (key: string) => Number(new RegExp(`^${key}:(\\d+)$`, 'm').exec(record)?.[1] ?? 0)
  const cells = Object.entries(kinds).map(([found, kind]) => {
    // LF and LH, BRF and BRH, FNF and FNH.
    const count = { hit: countOf(found.replace(/F$/, 'H')), found: countOf(found) }
    const total = totals[kind]
    if (total) {
      total.hit += count.hit
      total.found += count.found
    }
    return `${count.hit}/${count.found}`
  })
  const lines = [...record.matchAll(/^DA:(\d+),0$/gm)].map(([, line]) => line)
  const branches = [...record.matchAll(/^BRDA:(\d+),\d+,(\d+),(?:0|-)$/gm)].map(
    ([, line, path]) => `${line}.${path}`,
  )
  rows.push(
    `${file}\t${cells.join('\t')}\tlines ${lines.join(' ') || '-'}\tbranches ${branches.join(' ') || '-'}`,
  )
}
console.log(`file\t${Object.values(kinds).join('\t')}\tnot covered`)
for (const row of rows.sort()) console.log(row)
for (const [kind, { hit, found }] of Object.entries(totals)) {
  const percent = (100 * hit) / found
  console.log(`${kind}: ${hit} of ${found}, ${percent.toFixed(1)} %`)
  if (percent < Number(options.least)) process.exitCode = 1
}
