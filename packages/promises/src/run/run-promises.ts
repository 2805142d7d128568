import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PromiseOfQuality } from '../promise.ts'
import { pathOf, type RunOutcome } from './outcome.ts'
import { readMutants } from './read-mutants.ts'
import { runForge } from './run-forge.ts'
import { runVitest } from './run-vitest.ts'

interface Run {
  readonly root: string
  readonly long: boolean
  readonly onLine: (line: string) => void
}

/** Runs every test file of some promises once, package by package, and puts together what came of them. */
export async function runPromises(promises: readonly PromiseOfQuality[], run: Run): Promise<RunOutcome> {
  const outcomes: RunOutcome[] = []
  for (const batch of toBatches(promises, run.root)) {
    run.onLine(`\n${batch.package}: ${batch.files.length} test files`)
    outcomes.push(await runVitest({ ...run, ...batch }))
  }
  for (const { id, suites } of promises) {
    for (const suite of suites) {
      if (suite.runner === 'mutants') outcomes.push(readMutants(suite, id, run.root))
      if (suite.runner !== 'forge') continue
      run.onLine(`\n${suite.package}: ${suite.files.join(', ')} (forge)`)
      outcomes.push(await runForge(suite, { promise: id, root: run.root, long: run.long }))
    }
  }
  return {
    files: outcomes.flatMap(({ files }) => files),
    figures: outcomes.flatMap(({ figures }) => figures),
  }
}

interface Batch {
  readonly package: string
  readonly config: string | undefined
  readonly files: readonly string[]
}

/** The files of one package and configuration, each once; those that do not exist are found missing later. */
function toBatches(promises: readonly PromiseOfQuality[], root: string): Batch[] {
  const suites = promises.flatMap((promise) => promise.suites).filter(({ runner }) => runner === 'vitest')
  const groups = Map.groupBy(suites, ({ package: folder, config = '' }) => `${folder} ${config}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const all = new Set(group.flatMap((suite) => suite.files))
    const files = [...all].filter((file) => first && existsSync(join(root, pathOf(first, file))))
    return first && files.length > 0 ? [{ package: first.package, config: first.config, files }] : []
  })
}
