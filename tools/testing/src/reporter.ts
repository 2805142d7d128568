import { relative } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { takeStarted } from './started.ts'
import { type FailedFile, writeSummary } from './summary.ts'
import { runsIn, tier } from './tier.ts'

/** Writes a run's results, and prints the seed of a failing run. */
export default class SummaryReporter implements Reporter {
  #name = 'tests'
  #config: string | undefined
  #root = process.cwd()
  #began = Date.now()

  onInit({ config, vite }: Vitest): void {
    this.#name = config.name || this.#name
    this.#config = vite.config.configFile
    this.#root = config.root
    this.#began = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const skipped: Record<string, number> = {}
    const engines: Record<string, number> = {}
    // The workers, and what the global set-up started.
    const started = takeStarted()
    const failures = errors.map((error) => `outside of a test: ${firstLine(error.message)}`)
    const failedFiles = errors.map((error) => this.#outsideOfTests(error))
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
      // A file that cannot be loaded, or a suite whose hook fails, has its own errors.
      const [error] = ownErrors(module)
      if (error && failed.length === 0) {
        failures.push(`${module.relativeModuleId}: ${firstLine(error.message)}`)
      }
      if (error || failed.length > 0) {
        failedFiles.push({ ...this.#repeatable(module.relativeModuleId), output: outputOf(module, failed) })
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
      ...{ name: this.#name, passed, failed: failures.length, failures, failedFiles },
      ...{ skipped, engines, started, files, seconds, ...(seed && { seed }) },
    })
  }

  #repeatable(file: string): Pick<FailedFile, 'file' | 'command'> {
    const config = this.#config && ['--config', relative(this.#root, this.#config)]
    return { file, command: ['vitest', 'run', ...(config || []), file] }
  }

  /** An unhandled rejection, for example. vitest mostly knows during which file it happened. */
  #outsideOfTests(error: SerializedError): FailedFile {
    const output = textOf(error)
    const { VITEST_TEST_PATH: path } = error
    return typeof path === 'string' ? { ...this.#repeatable(relative(this.#root, path)), output } : { output }
  }
}

const ownErrors = (module: TestModule) => [
  ...module.errors(),
  ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
]

/** Each failed test with its errors, for the list of unstable tests. */
function outputOf(module: TestModule, failed: readonly TestCase[]): string {
  const ofTests = failed.map((test) => {
    const { evidence } = test.meta()
    const errors = (test.result().errors ?? []).map(textOf)
    return [test.fullName, ...errors, ...(evidence ? [`Evidence: ${evidence}`] : [])].join('\n')
  })
  return [...ownErrors(module).map(textOf), ...ofTests].join('\n\n')
}

function textOf(error: { message: string; stack?: string | undefined; diff?: unknown }): string {
  const stack = (error.stack || error.message).split('\n').filter((line) => !line.includes('/node_modules/'))
  const diff = typeof error.diff === 'string' ? [error.diff] : []
  return stripVTControlCharacters([...stack, ...diff].join('\n'))
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
