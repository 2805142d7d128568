import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['@lanyard/database/testing/global-setup'],
    retry: 0,
    // These suites wait more than they compute; vitest would leave all but one core out of two.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
