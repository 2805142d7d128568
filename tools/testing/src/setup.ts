import { afterAll } from 'vitest'
import { type Started, takeStarted } from './started.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test file started. */
    started?: Started
  }
}

// biome-ignore lint/correctness/noEmptyPattern: vitest reads fixtures from the first pattern, and none is needed
afterAll(({}, { file }) => {
  file.meta.started = takeStarted()
})
