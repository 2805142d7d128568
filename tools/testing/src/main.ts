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
import { type PackageRun, renderSummary, type WholeRun } from './render-summary.ts'
import { type RunSummary, summaryFolder, wholeRunFile } from './summary.ts'

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

for (const manifest of manifests)
  rmSync(join(root, dirname(manifest), summaryFolder), { recursive: true, force: true })

const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31))
const began = Date.now()
const [loadBefore = 0] = loadavg()
const turbo = spawn(
  join(root, 'node_modules', '.bin', 'turbo'),
  [
    ...['run', ...scripts.split(',')],
    // Suites wait for blocks and time-outs while others compute.
    ...['--concurrency=3', '--continue=always', '--output-logs=new-only', '--ui=stream'],
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

const tiers = scripts.split(',').map((script) => tierOf[script] ?? script)
const runs = manifests.flatMap((manifest): PackageRun[] =>
  globSync(
    tiers.map((tier) => `${dirname(manifest)}/${summaryFolder}/${tier}-*.json`),
    { cwd: root },
  ).map((file) => {
    const summary: RunSummary = JSON.parse(readFileSync(join(root, file), 'utf8')) // written by writeSummary
    const { name } = JSON.parse(readFileSync(join(root, manifest), 'utf8'))
    // turbo restored the summary of an earlier run.
    return { ...summary, package: name, isCached: summary.seed !== seed }
  }),
)
const whole = {
  ...{ seconds: (Date.now() - began) / 1000, processorSeconds: processorSeconds() },
  ...{ seed, code, loadBefore },
}
process.stdout.write(renderSummary(runs, whole))
mkdirSync(dirname(wholeRunFile), { recursive: true })
writeFileSync(wholeRunFile, `${JSON.stringify({ ...whole, runs } satisfies WholeRun)}\n`)
process.exitCode = code !== 0 || runs.some(({ failed }) => failed > 0) ? 1 : 0
