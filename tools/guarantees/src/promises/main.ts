/**
 * `pnpm promises [number …] [--long]`: runs the tests of the promises in docs/promises.md, package by package, and prints which
 * promises are kept. With `--list` it only prints the tests. Reports of vitest and forge are in artifacts/promises. Exits non-zero if one is broken.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { isSolidity, packageOf, readPromises, root } from './read-promises.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
})
const all = readPromises()
// The tests of an attack are those of a promise, too.
const chosen = all.filter(({ id }) => (positionals.length === 0 ? /^\d/.test(id) : positionals.includes(id)))
const artifacts = join(root, 'artifacts', 'promises')

if (chosen.length < positionals.length) {
  process.stderr.write(
    'Usage: pnpm promises [number …] [--long] [--list]; the numbers are in docs/promises.md.\n',
  )
  process.exitCode = 2
} else if (values.list) {
  for (const { id, title, tests } of chosen) process.stdout.write(`${id} ${title}\n  ${tests.join('\n  ')}\n`)
} else {
  const broken = runAll()
  for (const { id, title, tests } of chosen) {
    const failed = tests.filter((test) => broken.has(test))
    process.stdout.write(`${id.padStart(4)}  ${failed.length === 0 ? 'kept  ' : 'BROKEN'}  ${title}\n`)
    for (const test of failed) process.stdout.write(`             ${test}\n`)
    if (failed.length > 0) process.exitCode = 1
  }
}

/** @returns the tests that failed or did not run */
function runAll(): ReadonlySet<string> {
  mkdirSync(artifacts, { recursive: true })
  const tests = [...new Set(chosen.flatMap((promise) => promise.tests))]
  // Browser journeys have a configuration of their own in the same package.
  const groups = Map.groupBy(tests, (test) => `${packageOf(test)}${/\.e2e\.ts$/.test(test) ? ' e2e' : ''}`)
  return new Set(
    [...groups.values()].flatMap((group) => {
      const passed = isSolidity(group[0] ?? '') ? runForge(group) : runVitest(group)
      return group.filter((test) => !passed.has(test))
    }),
  )
}

/** The files of a report of `vitest --reporter=json` that we read. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

function runVitest(files: readonly string[]): ReadonlySet<string> {
  const [first = ''] = files
  const folder = join(root, packageOf(first))
  const isJourney = first.endsWith('.e2e.ts')
  const name = `${packageOf(first).replace('/', '-')}${isJourney ? '-e2e' : ''}`
  const report = join(artifacts, `${name}.json`)
  const figures = join(artifacts, `${name}-figures.jsonl`)
  for (const file of [report, figures]) rmSync(file, { force: true })
  if (isJourney) spawnSync(process.execPath, ['scripts/build-if-stale.ts'], { cwd: folder, stdio: 'inherit' })
  const names = files.map((file) => relative(folder, join(root, file)))
  const config = isJourney ? ['--config', 'vitest.e2e.config.ts'] : []
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // One file at a time, since most start chains and databases.
  spawnSync(
    join(root, 'node_modules', '.bin', 'vitest'),
    ['run', '--no-file-parallelism', ...config, ...reporters, ...names],
    {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, LANYARD_FIGURES: figures, TEST_TIER: values.long ? 'whole' : 'any' },
    },
  )
  if (!existsSync(report)) return new Set()
  const { testResults }: VitestReport = JSON.parse(readFileSync(report, 'utf8'))
  const passed = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'passed' && assertionResults.some((assertion) => assertion.status === 'passed'),
  )
  return new Set(passed.map(({ name }) => relative(root, name)))
}

/** A report of `forge test --json`: by `file:contract`. */
type ForgeReport = Readonly<
  Record<string, { readonly test_results: Readonly<Record<string, { readonly status: string }>> }>
>

function runForge(paths: readonly string[]): ReadonlySet<string> {
  const folder = join(root, 'packages', 'onchain')
  const patterns = paths.map((path) => relative(folder, join(root, path)))
  const { stdout } = spawnSync(
    process.execPath,
    ['scripts/forge.ts', 'test', '--json', '--match-path', `{${patterns.join(',')}}`],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(values.long && { FOUNDRY_PROFILE: 'ci' }) },
    },
  )
  const json = stdout.split('\n').find((line) => line.startsWith('{')) ?? '{}'
  writeFileSync(join(artifacts, 'packages-onchain.json'), json)
  const report: ForgeReport = JSON.parse(json)
  const results = Object.entries(report).map(([suite, { test_results }]) => ({
    file: relative(root, join(folder, suite.split(':')[0] ?? '')),
    passed: Object.values(test_results).every(({ status }) => status === 'Success'),
  }))
  return new Set(
    paths.filter((path) => {
      const own = results.filter(({ file }) => file === path)
      return own.length > 0 && own.every(({ passed }) => passed)
    }),
  )
}
