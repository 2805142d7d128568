import { afterAll, afterEach, type RunnerTestSuite } from 'vitest'
import { dropEnded, writeEvidence } from './evidence/evidence.ts'
import { keepOutputOfProcesses } from './evidence/processes.ts'
import { keepRequests } from './evidence/requests.ts'
import { processorSeconds } from './processor-seconds.ts'
import { type Started, takeStarted } from './started.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test file started. */
    started?: Started
    /** Processor time of the worker, and of what it started and ended, from the file's imports to its last hook. */
    processorSeconds?: number
    /** Where the evidence of a failure is, relative to the package's folder. */
    evidence?: string
  }
}

// This module runs before each file is imported, and its hooks after those of the file.
const before = processorSeconds()

keepOutputOfProcesses()
keepRequests()

const messages = (errors: readonly { message: string; stack?: string; diff?: string }[] = []) =>
  errors.map(({ message, stack, diff }) => [stack ?? message, ...(diff ? [diff] : [])].join('\n'))

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  task.meta.evidence = await writeEvidence([task.file.name, task.name], messages(task.result.errors))
})

// biome-ignore lint/correctness/noEmptyPattern: vitest reads fixtures from the first pattern, and none is needed
afterAll(async ({}, { file }) => {
  const errors = errorsOfHooks(file)
  if (errors.length > 0) file.meta.evidence = await writeEvidence([file.name, 'hooks'], errors)
  dropEnded()
  file.meta.started = takeStarted()
  const after = processorSeconds()
  if (before !== undefined && after !== undefined) file.meta.processorSeconds = after - before
})

/** Errors of `beforeAll` belong to suites, not to tests. */
function errorsOfHooks(suite: RunnerTestSuite): readonly string[] {
  const inner = suite.tasks.flatMap((task) => (task.type === 'suite' ? errorsOfHooks(task) : []))
  return [...messages(suite.result?.errors), ...inner]
}
