import { afterAll } from 'vitest'
import { takeEngines } from './engines.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The database engines that a test file opened. */
    engines?: string[]
  }
}

// biome-ignore lint/correctness/noEmptyPattern: vitest reads fixtures from the first pattern, and none is needed
afterAll(({}, { file }) => {
  file.meta.engines = takeEngines()
})
