import { join } from 'node:path'
import type { LogLevel, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { artifacts, memory, sandboxes } from './paths.ts'
import type { Target } from './target.ts'

/** Stryker's options for a target. `force` repeats mutants of earlier runs. */
export function strykerOptions(
  target: Target,
  { force }: { readonly force: boolean },
): PartialStrykerOptions {
  return {
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'spared.ts')],
    mutate: [...target.mutate],
    ignorers: ['spared'],
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
    tempDirName: join(sandboxes, target.name),
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: join(memory, `${target.name}.json`),
    force,
    thresholds: { high: 100, low: target.floor, break: target.floor },
    reporters: ['clear-text', 'progress-append-only', 'html'],
    clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
    htmlReporter: { fileName: join(artifacts, `${target.name}.html`) },
    allowConsoleColors: false,
    logLevel: 'warn' as LogLevel, // a const enum, which exists only in types
  }
}
