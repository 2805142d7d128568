import { defineConfig } from 'vitest/config'

/** A real browser against a real service: slow, and one after the other. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    retry: 0,
    // One story: after a chapter that failed the others would only fail, slowly.
    bail: 1,
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
