import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PromiseOfQuality, Suite } from '../promise.ts'
import { pathOf, type RunOutcome } from './outcome.ts'
import { readBench } from './read-bench.ts'
import { readMutants } from './read-mutants.ts'
import { runForge } from './run-forge.ts'
import { runProgram } from './run-program.ts'
import { runVitest } from './run-vitest.ts'

interface Run {
  readonly root: string
  readonly long: boolean
  readonly onLine: (line: string) => void
}

/** Runs every test file of some promises once, package by package, and combines the results. */
export async function runPromises(promises: readonly PromiseOfQuality[], run: Run): Promise<RunOutcome> {
  const outcomes: RunOutcome[] = []
  for (const batch of toBatches(promises, run.root)) {
    run.onLine(`\n${batch.package}: ${batch.files.length} test files`)
    if (batch.prepare) {
      const folder = join(run.root, batch.package)
      await runProgram({ ...run, name: process.execPath, parameters: [batch.prepare], folder })
    }
    outcomes.push(await runVitest({ ...run, ...batch }))
  }
  for (const { id, suites } of promises) {
    for (const suite of suites) {
      if (suite.runner !== 'vitest') outcomes.push(await runOther(suite, id, run))
    }
  }
  return {
    files: outcomes.flatMap(({ files }) => files),
    figures: outcomes.flatMap(({ figures }) => figures),
  }
}

/** Runs suites of other programs, or reads their results. Each result names the promise of the suite. */
async function runOther(suite: Suite, promise: number, { root, long, onLine }: Run): Promise<RunOutcome> {
  if (suite.runner === 'mutants') return readMutants(suite, promise, root)
  if (suite.runner === 'bench') return readBench(suite, promise, root)
  onLine(`\n${suite.package}: ${suite.files.join(', ')} (forge)`)
  return runForge(suite, { promise, root, long })
}

interface Batch {
  readonly package: string
  readonly config: string | undefined
  readonly prepare: string | undefined
  readonly files: readonly string[]
}

/**
 * The files of one package and configuration, without duplicates. Files that do not exist are reported as
 * missing later.
 */
function toBatches(promises: readonly PromiseOfQuality[], root: string): Batch[] {
  const suites = promises.flatMap((promise) => promise.suites).filter(({ runner }) => runner === 'vitest')
  const groups = Map.groupBy(suites, ({ package: folder, config = '' }) => `${folder} ${config}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const all = new Set(group.flatMap((suite) => suite.files))
    const files = [...all].filter((file) => first && existsSync(join(root, pathOf(first, file))))
    const prepare = group.find((suite) => suite.prepare)?.prepare
    return first && files.length > 0 ? [{ package: first.package, config: first.config, prepare, files }] : []
  })
}
