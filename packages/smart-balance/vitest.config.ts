import { defineConfig } from 'vitest/config'

export default defineConfig({
  // A suite on a chain starts its own node; the prepared state takes a few seconds where it is not cached.
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
