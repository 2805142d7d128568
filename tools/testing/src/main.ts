/**
 * `npm test`, `npm run test:all`, `npm run test:long`: runs the packages' tests of some tiers through turbo,
 * continues after failures, and prints a summary at the end. Arguments go to turbo:
 * `npm test -- --filter @lanyard/api` runs one package; `npm test -- --force` ignores turbo's cache.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { optionalPrograms } from './optional-programs.ts'
import { processorSeconds } from './processor-seconds.ts'
import { renderFileCosts } from './render-costs.ts'
import { type PackageRun, renderSummary, type WholeRun } from './render-summary.ts'
import { type RunSummary, wholeRunFile } from './summary.ts'
import { summaryFolder } from './summary-folder.ts'
import { failuresOutsideOfTests } from './turbo-summary.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const [scripts = '', ...turboOptions] = process.argv.slice(2)

/** The tier of each script of a package: see tier.ts. */
const tierOf: Readonly<Record<string, string>> = { test: 'fast', 'test:all': 'rest', 'test:long': 'long' }

/** Folders of the workspace, as in pnpm-workspace.yaml. */
const packageFolders = ['apps/*', 'packages/*', 'tools/*', 'examples/*', 'deploy']

const manifests = globSync(
  packageFolders.map((folder) => `${folder}/package.json`),
  { cwd: root },
).sort()

const tiers = scripts.split(',').map((script) => tierOf[script] ?? script)
const wholeFile = wholeRunFile(tiers.join('-'))
// Whatever ends this run early, what an earlier one wrote does not count for it.
rmSync(wholeFile, { force: true })
rmSync(join(root, '.turbo/runs'), { recursive: true, force: true })
// The slower tier follows the fast one in `.ci/run`, whose evidence stays.
const folders = tiers.includes('rest') ? [] : ['artifacts/failures', 'artifacts/failures-again']
for (const manifest of manifests)
  for (const folder of [summaryFolder, ...folders])
    rmSync(join(root, dirname(manifest), folder), { recursive: true, force: true })

const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31))
const began = Date.now()
const [loadBefore = 0] = loadavg()
const turbo = spawn(
  join(root, 'node_modules', '.bin', 'turbo'),
  [
    ...['run', ...scripts.split(',')],
    // Suites wait for blocks and time-outs while others compute.
    ...['--concurrency=3', '--continue=always', '--output-logs=new-only', '--ui=stream', '--summarize'],
    ...turboOptions,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_SEED: seed,
      // A cached result holds for the programs that were there: without one of them, suites are skipped.
      TEST_PROGRAMS: [process.version, process.platform, ...optionalPrograms()].join(' '),
    },
  },
)
const code = await new Promise<number>((resolve) => {
  turbo.once('error', () => resolve(1))
  turbo.once('exit', (exitCode) => resolve(exitCode ?? 1))
})

const runs = manifests.flatMap((manifest): PackageRun[] =>
  globSync(
    tiers.map((tier) => `${dirname(manifest)}/${summaryFolder}/${tier}-*.json`),
    { cwd: root },
  ).map((file) => {
    const summary: RunSummary = JSON.parse(readFileSync(join(root, file), 'utf8')) // written by writeSummary
    const { name } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    // turbo restored the summary of an earlier run.
    return { ...summary, package: name, folder: dirname(manifest), isCached: summary.seed !== seed }
  }),
)
const whole = {
  ...{ seconds: (Date.now() - began) / 1000, processorSeconds: processorSeconds() },
  ...{ seed, code, loadBefore, outsideOfTests: code === 0 ? [] : failuresOutsideOfTests(root, runs) },
}
process.stdout.write(renderSummary(runs, whole))
mkdirSync(dirname(wholeFile), { recursive: true })
writeFileSync(wholeFile, `${JSON.stringify({ ...whole, runs } satisfies WholeRun)}\n`)
writeFileSync(wholeFile.replace('.json', '-files.md'), renderFileCosts(runs))
process.exitCode = code !== 0 || runs.some(({ failed }) => failed > 0) ? 1 : 0
