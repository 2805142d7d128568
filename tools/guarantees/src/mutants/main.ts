/**
 * `pnpm mutants [target] [--force] [glob …]`: makes small changes (mutants) to the code of each target, and shows which of them
 * its tests do not notice. Results are kept, so a second run tries only changed code; `--force` tries everything again, and
 * globs limit it to some files. Exits non-zero if a score is below its floor.
 */
import { spawnSync } from 'node:child_process'
import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { findTarget, type Target, targets } from './targets.ts'

const root = resolve(import.meta.dirname, '../../../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false } },
})
const [name, ...globs] = positionals

if (name !== undefined) await run(findTarget(name))
else {
  setPriority(10)
  // Each in a process of its own, since Stryker treats the working directory as the project.
  const failed = targets.filter((target) => {
    process.stdout.write(`\n== ${target.name}\n`)
    const parameters = [import.meta.filename, target.name, ...(values.force ? ['--force'] : [])]
    return spawnSync(process.execPath, parameters, { stdio: 'inherit' }).status !== 0
  })
  if (failed.length > 0) {
    process.stdout.write(`Below the floor, or not run: ${failed.map((target) => target.name).join(', ')}\n`)
    process.exitCode = 1
  }
}

async function run(target: Target): Promise<void> {
  process.chdir(join(root, target.folder))
  // vitest.mutants.config.ts, which the sandboxes load, reads this variable.
  process.env.LANYARD_MUTANTS_TARGET = target.name
  const stryker = new Stryker({
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'ignored.ts')],
    mutate: globs.length > 0 ? [...globs, '!src/**/*.test.ts'] : [...target.mutate],
    ignorers: ['ignored'],
    ignoreStatic: target.sparesStatic,
    testRunner: 'vitest',
    vitest: { configFile: join(import.meta.dirname, '../../vitest.mutants.config.ts'), related: true },
    concurrency: 1,
    // Stryker finds most endless loops by counting. On a busy machine, a short time-out would report slow
    // mutants as noticed.
    timeoutMS: 30_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 20,
    // Outside the package, so that other tools searching for tests or sources there do not find the copies.
    // The folder is four levels below the root, since Stryker rewrites what a tsconfig.json extends as if the
    // copies were two levels below the package.
    tempDirName: join(root, '.cache', 'mutants', target.name),
    cleanTempDir: 'always',
    incremental: globs.length === 0,
    incrementalFile: join(root, '.cache', 'mutants-memory', `${target.name}.json`),
    force: values.force,
    thresholds: { high: 100, low: target.floor, break: globs.length > 0 ? null : target.floor },
    reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
    clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
    htmlReporter: { fileName: join(root, 'artifacts', 'mutants', `${target.name}.html`) },
    jsonReporter: { fileName: join(root, 'artifacts', 'mutants', `${target.name}.json`) },
    allowConsoleColors: false,
  })
  await stryker.runMutationTest()
}
