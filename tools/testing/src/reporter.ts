import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { takeStarted } from './started.ts'
import { writeSummary } from './summary.ts'
import { runsIn, tier } from './tier.ts'

/** Writes a run's results, and prints the seed of a failing run. */
export default class SummaryReporter implements Reporter {
  #name = 'tests'
  #began = Date.now()

  onInit({ config }: Vitest): void {
    this.#name = config.name || this.#name
    this.#began = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const skipped: Record<string, number> = {}
    const engines: Record<string, number> = {}
    // The workers, and what the global set-up started.
    const started = takeStarted()
    const failures = errors.map((error) => `outside of a test: ${firstLine(error.message)}`)
    const files: Record<string, number> = {}
    let passed = 0
    for (const module of modules) {
      const tests = [...module.children.allTests()].filter(({ tags }) => runsIn(tags, tier))
      const ofState = (state: string) => tests.filter((test) => test.result().state === state)
      const ran = ofState('passed').length + ofState('failed').length
      passed += ofState('passed').length
      const failed = ofState('failed')
      for (const test of failed) {
        const [error] = test.result().errors ?? []
        failures.push(`${module.relativeModuleId} > ${test.fullName}: ${firstLine(error?.message)}`)
      }
      // A file that cannot be loaded, or whose hook fails, has its own errors.
      const [error] = module.errors()
      if (error && failed.length === 0) {
        failures.push(`${module.relativeModuleId}: ${firstLine(error.message)}`)
      }
      for (const test of ofState('skipped')) add(skipped, whySkipped(test), 1)
      files[module.relativeModuleId] = module.meta().processorSeconds ?? 0
      for (const [what, count] of Object.entries(module.meta().started ?? {})) {
        add(started, what, count)
        if (ran > 0 && what in engineOf) add(engines, engineOf[what] ?? what, ran)
      }
    }
    const seed = process.env.TEST_SEED
    if (failures.length > 0) console.error(`To draw the same random data again: TEST_SEED=${seed}`)
    const seconds = (Date.now() - this.#began) / 1000
    writeSummary({
      ...{ name: this.#name, passed, failed: failures.length, failures },
      ...{ skipped, engines, started, files, seconds, ...(seed && { seed }) },
    })
  }
}

/** The notes of `freshDatabase`. */
const engineOf: Readonly<Record<string, string>> = {
  'PGlite databases': 'pglite',
  'PostgreSQL databases': 'postgresql',
}

const firstLine = (message = '') => stripVTControlCharacters(message).split('\n')[0] ?? ''

const add = (counts: Record<string, number>, key: string, count: number) => {
  counts[key] = (counts[key] ?? 0) + count
}

/**
 * The reason for a skip: a suite's name contains the engine that it needs, or `context.skip('why')` gives the
 * reason.
 */
function whySkipped(test: TestCase): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note) return result.note
  if (test.fullName.includes('PostgreSQL')) return 'no PostgreSQL on this machine'
  return `skipped: ${test.module.relativeModuleId}`
}
