/**
 * Shows that each guard is tested: takes them out one at a time, in a copy of this package, and runs the tests, which
 * must fail. A mutant takes about half a minute, most of it compilation. What was found is kept in `mutants/results`
 * after each, and a later run goes on there. Ends non-zero when a mutant survives.
 *
 * `node scripts/mutants.ts [suite [regular expression for guards]]`
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from '../mutants/mutant.ts'
import { nearestSmartBalanceTests } from '../mutants/nearest-smart-balance-tests.ts'
import { sessionKeysMutants } from '../mutants/session-keys.ts'
import { smartBalanceMutants } from '../mutants/smart-balance.ts'
import { forgeBinary } from './forge-binary.ts'
import { MutationResults, type Notice } from './mutation-results.ts'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))

interface Suite {
  readonly name: string
  /** Tests that decide, as forge's --match-path. The campaigns are left out: what only they notice is too weak. */
  readonly tests: string
  /** Those of `tests` that are asked first, by the mutated file: fewer to compile. */
  readonly nearest?: (file: string) => string | undefined
  readonly mutants: readonly Mutant[]
}

const suites: readonly Suite[] = [
  {
    name: 'SmartBalance',
    tests: 'contracts/test/{smart-balance,attacks}/*',
    nearest: nearestSmartBalanceTests,
    mutants: smartBalanceMutants,
  },
  { name: 'SessionKeys', tests: 'contracts/test/session-keys/*', mutants: sessionKeysMutants },
]

/** A copy in the same place of an otherwise linked repository: artifacts are read from ../../node_modules. */
function copyPackage() {
  const repository = mkdtempSync(join(tmpdir(), 'lanyard-mutants-'))
  const copy = join(repository, 'packages', 'onchain')
  const skipped = ['node_modules', 'src', 'snapshots'].map((name) => join(packageRoot, name))
  cpSync(packageRoot, copy, { recursive: true, filter: (source) => !skipped.includes(source) })
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'))
  symlinkSync(join(packageRoot, '../../node_modules'), join(repository, 'node_modules'))
  return { repository, copy }
}

function runTests(copy: string, tests: string) {
  const options = ['--match-path', tests, '--no-match-contract', 'Gas|Invariant', '--fail-fast', '--json']
  const { stdout, stderr } = spawnSync(forgeBinary(), ['test', ...options], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    // With dynamic linking a mutant does not recompile the tests.
    env: { ...process.env, FOUNDRY_FUZZ_RUNS: '16', FOUNDRY_DYNAMIC_TEST_LINKING: 'true' },
  })
  return readResult(stdout, stderr)
}

interface ForgeSuite {
  readonly test_results: Record<string, { readonly status: string }>
}

/** Which test noticed, or that none did; a mutant that does not compile proves nothing. */
function readResult(stdout: string, stderr: string): Notice | undefined {
  const json = stdout.slice(stdout.indexOf('{'))
  if (!json.startsWith('{"contracts')) throw new Error(`forge did not run the tests:\n${stdout}\n${stderr}`)
  const results: Record<string, ForgeSuite> = JSON.parse(json)
  for (const [contract, { test_results }] of Object.entries(results)) {
    // contracts/test/….t.sol:Name
    const file = contract.replace(/^contracts\//, '').replace(/:.*$/, '')
    for (const [test, { status }] of Object.entries(test_results)) {
      if (status === 'Failure') return { test, file }
    }
  }
  return undefined
}

function mutate(copy: string, { file, find, replace }: Mutant): () => void {
  const path = join(copy, 'contracts', file)
  const source = readFileSync(path, 'utf8')
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`${file}: "${find}" occurs ${places} times, not once`)
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  return () => writeFileSync(path, source)
}

/** Runs the nearest tests, and, where they notice nothing, all. */
function verdictOn(copy: string, { tests, nearest }: Suite, { file }: Mutant) {
  const near = nearest?.(file)
  return (near === undefined ? undefined : runTests(copy, near)) ?? runTests(copy, tests)
}

const [suiteName, part = ''] = process.argv.slice(2)
const { repository, copy } = copyPackage()
let survivors = 0
try {
  for (const suite of suites.filter(({ name }) => suiteName === undefined || name === suiteName)) {
    const results = new MutationResults(
      join(packageRoot, 'mutants/results'),
      suite.name,
      suite.mutants.length,
      join(copy, 'contracts'),
    )
    const left = suite.mutants.filter(({ guard }) => !results.has(guard) && new RegExp(part).test(guard))
    if (left.length > 0) {
      const failed = runTests(copy, suite.tests)
      if (failed) throw new Error(`Without a mutant ${failed.test} fails already`)
    }
    for (const mutant of left) {
      const restore = mutate(copy, mutant)
      const notice = verdictOn(copy, suite, mutant)
      restore()
      results.add(mutant.guard, mutant.file, notice)
      console.log(`${mutant.guard}: ${notice?.test ?? 'SURVIVED'}`)
    }
    console.log(`${suite.name}: ${results.summary()}`)
    survivors += results.survivors.length
  }
} finally {
  rmSync(repository, { recursive: true, force: true })
}
if (survivors > 0) process.exitCode = 1
