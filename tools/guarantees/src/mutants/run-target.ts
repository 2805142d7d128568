/**
 * Mutates one target, and writes the results to `artifacts/mutants`. It runs in a separate process, since
 * Stryker treats the working directory as the project. Exits non-zero below the floor.
 *
 * `node src/run-target.ts <target> [--force] [glob …]`: with globs, only those files are mutated, and no
 * results are stored.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { outcomeOf } from './outcome.ts'
import { artifacts, memory, root } from './paths.ts'
import { strykerOptions } from './stryker-options.ts'
import { findTarget } from './targets.ts'
import { writeOutcome } from './write-outcome.ts'

const [name = '', ...rest] = process.argv.slice(2)
const target = findTarget(name)
const globs = rest.filter((argument) => !argument.startsWith('--'))
const isPart = globs.length > 0

process.chdir(join(root, target.folder))
// vitest.mutants.config.ts, which the sandboxes load, reads this variable.
process.env.LANYARD_MUTANTS_TARGET = target.name
for (const folder of [artifacts, memory]) mkdirSync(folder, { recursive: true })
const stryker = new Stryker({
  ...strykerOptions(target, { force: rest.includes('--force') }),
  ...(isPart ? { mutate: [...globs, '!src/**/*.test.ts'], thresholds: { break: null } } : {}),
})
const mutants = await stryker.runMutationTest()
if (!isPart) {
  writeOutcome(outcomeOf(target, mutants, new Date().toISOString().slice(0, 10)))
}
