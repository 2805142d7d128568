import { afterAll } from 'vitest'
import { processorSeconds } from './processor-seconds.ts'
import { type Started, takeStarted } from './started.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test file started. */
    started?: Started
    /** Processor time of the worker, and of what it started and ended, from the file's imports to its last hook. */
    processorSeconds?: number
  }
}

// This module runs before each file is imported, and its hook after those of the file.
const before = processorSeconds()

// biome-ignore lint/correctness/noEmptyPattern: vitest reads fixtures from the first pattern, and none is needed
afterAll(({}, { file }) => {
  file.meta.started = takeStarted()
  const after = processorSeconds()
  if (before !== undefined && after !== undefined) file.meta.processorSeconds = after - before
})
