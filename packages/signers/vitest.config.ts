import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'stand-in/**/*.test.ts'],
    retry: 0,
    testTimeout: 30_000,
  },
})
