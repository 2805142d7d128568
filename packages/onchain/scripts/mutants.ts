/**
 * Breaks one guard of the contracts at a time (`broken-guards.ts`), and runs what must notice it: the invariant campaigns, and
 * if none of them fails, other sequences at the depth of FOUNDRY_PROFILE=ci. Fails if a broken guard goes unnoticed.
 *
 * `node scripts/mutants.ts [--name 'pins|number'] [--unit]`: `--name` is a regular expression, `--unit` runs the unit tests
 * instead.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brokenGuards } from './broken-guards.ts'
import { placeChangedCode, placeCommittedCode } from './changed-code.ts'
import { forgeBinary } from './forge-binary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'out/mutants'
const { values: options } = parseArgs({
  options: { name: { type: 'string', default: '' }, unit: { type: 'boolean', default: false } },
})

/** Each contract: its sources, and the tests that see it. */
const contracts = [
  { name: 'SmartBalance', sources: /^contracts\/smart-balance\//, tests: '{attacks,smart-balance}/*' },
  { name: 'SessionKeys', sources: /^contracts\/session-keys\//, tests: '{attacks/Session*,session-keys/*}' },
  { name: 'Ownership', sources: /^contracts\/(Ownership\.sol|ownership\/)/, tests: 'ownership/*' },
  { name: 'Epochs', sources: /^contracts\/Epochs\.sol/, tests: '{*/epochs*,ownership/Ownership.inv*}' },
]

/** @returns the first test that failed; nothing if all passed */
function failingTest(tests: string, env: Readonly<Record<string, string>> = {}): string | undefined {
  // Sequences that forge keeps of a failure would fail for the next guard, too.
  rmSync(`${root}cache`, { recursive: true, force: true })
  // Tests of gas and code size depend on the optimizer.
  const chosen = options.unit
    ? ['--no-match-contract', 'Gas|Invariant|Probe|FailWithoutARecord|SmartBalanceDeployer|FailWhileTheToken']
    : ['--match-contract', 'Invariants', '--match-test', 'invariant']
  const { stdout, stderr } = spawnSync(
    forgeBinary(),
    ['test', '--match-path', `contracts/test/${tests}`, ...chosen, '--fail-fast', '--json'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
      env: {
        ...process.env,
        CONTRACT_ARTIFACTS: folder,
        FOUNDRY_PROFILE: 'rest',
        FOUNDRY_CODE_SIZE_LIMIT: '100000',
        FOUNDRY_FUZZ_RUNS: '8',
        FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
        // Ends endless loops of unit tests.
        ...(options.unit && { FOUNDRY_GAS_LIMIT: '300000000' }),
        ...env,
      },
    },
  )
  const json = stdout.slice(stdout.indexOf('{'))
  if (!json.startsWith('{"contracts')) throw new Error(`forge ran no test:\n${stdout}\n${stderr}`)
  const suites: Record<string, { test_results: Record<string, { status: string }> }> = JSON.parse(json)
  return Object.entries(suites)
    .flatMap(([suite, { test_results }]) =>
      Object.entries(test_results).map(([test, { status }]) => ({ test: `${suite}.${test}`, status })),
    )
    .find(({ status }) => status === 'Failure')?.test
}

/** Other sequences than the usual ones. */
const deep = { FOUNDRY_INVARIANT_RUNS: '32', FOUNDRY_INVARIANT_DEPTH: '100', FOUNDRY_FUZZ_SEED: '0x2' }
for (const { name, sources, tests } of contracts) {
  const chosen = brokenGuards.filter(
    (guard) => sources.test(guard.file) && new RegExp(options.name).test(guard.name),
  )
  if (chosen.length === 0) continue
  placeCommittedCode(folder)
  const without = failingTest(tests)
  if (without) throw new Error(`${without} fails although no guard is broken`)
  for (const { name: allowed, file, original, replacement } of chosen) {
    placeChangedCode(folder, name, (path, source) =>
      path === file ? source.replace(original, () => replacement) : source,
    )
    const test = failingTest(tests) ?? (options.unit ? undefined : failingTest(tests, deep))
    console.log(`${name}, ${allowed}: ${test ? `noticed by ${test}` : 'NOT NOTICED'}`)
    if (test === undefined) process.exitCode = 1
  }
}
