import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['@lanyard/database/testing/global-setup'],
    retry: 0,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
