import { defineConfig } from 'vitest/config'

/** Chains, the service and a bundler: one suite after the other. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    fileParallelism: false,
    retry: 0,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
})
