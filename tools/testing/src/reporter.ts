import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { writeSummary } from './summary.ts'
import { tier } from './tier.ts'

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
    const failures = errors.map((error) => `outside of a test: ${firstLine(error.message)}`)
    let passed = 0
    for (const module of modules) {
      const tests = [...module.children.allTests()].filter(isOfThisTier)
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
      for (const engine of module.meta().engines ?? []) if (ran > 0) add(engines, engine, ran)
    }
    const seed = process.env.TEST_SEED
    if (failures.length > 0) console.error(`To draw the same random data again: TEST_SEED=${seed}`)
    const seconds = (Date.now() - this.#began) / 1000
    writeSummary({
      ...{ name: this.#name, passed, failed: failures.length, failures },
      ...{ skipped, engines, seconds, ...(seed && { seed }) },
    })
  }
}

const firstLine = (message = '') => stripVTControlCharacters(message).split('\n')[0] ?? ''

const add = (counts: Record<string, number>, key: string, count: number) => {
  counts[key] = (counts[key] ?? 0) + count
}

function isOfThisTier({ tags }: TestCase): boolean {
  if (tier === 'fast') return !tags.includes('all') && !tags.includes('long')
  if (tier === 'rest') return tags.includes('all') && !tags.includes('long')
  if (tier === 'long') return tags.includes('long') || tags.includes('longer')
  return true
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
